// Asks Foundation for everything that it asks ICU for, also where Kanmon does not: some day a dependency will. A plainer answer than
// that of the whole data is right, the end of the program is not. What Kanmon itself uses is compared.
import Foundation

setvbuf(stdout, nil, _IONBF, 0)
var wrong = 0

func compare(_ what: String, _ found: some Equatable, _ expected: some Equatable) {
    print(what, found)
    guard "\(found)" != "\(expected)" else { return }
    print("    expected: \(expected)")
    wrong += 1
}

let moment = Date(timeIntervalSince1970: 1_000_000_000)
let german = Locale(identifier: "de_DE")
let japanese = Locale(identifier: "ja_JP")

compare("moment", moment.formatted(.iso8601), "2001-09-09T01:46:40Z")
compare("moment read", try? Date("2001-09-09T01:46:40Z", strategy: .iso8601), Optional(moment))
compare("formatter", ISO8601DateFormatter().string(from: moment), "2001-09-09T01:46:40Z")
compare("expression", "Größe 日本".range(of: "\\bgr\\p{L}+\\b", options: [.regularExpression, .caseInsensitive]) != nil, true)
compare("clusters", try? NSRegularExpression(pattern: "\\X").numberOfMatches(in: "e\u{301}é", range: .init(0..<3)), Optional(2))
compare("composed", "か\u{3099}".precomposedStringWithCanonicalMapping.utf8.count, 3)
compare("compatible", "ﾊ".precomposedStringWithCompatibilityMapping, "ハ")
compare("capitals", "hello world".capitalized, "Hello World")
compare("folded", "Äé".folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil), "ae")
compare("format", String(format: "%5.2f %d", 1.5, 7), " 1.50 7")
compare("time zone", TimeZone(identifier: "Europe/Berlin")?.secondsFromGMT(for: moment), Optional(7200))
compare("year", Calendar(identifier: .gregorian).dateComponents([.year], from: moment).year, Optional(2001))
compare("host", URL(string: "http://bücher.example/")?.absoluteString, Optional("http://xn--bcher-kva.example/"))
compare("Latin 1", String(data: Data([0xE4]), encoding: .isoLatin1), Optional("ä"))
compare("UTF-16", String(data: Data([0xE5, 0x65]), encoding: .utf16LittleEndian), Optional("日"))

let fixed = DateFormatter()
fixed.locale = Locale(identifier: "en_US_POSIX")
fixed.timeZone = TimeZone(secondsFromGMT: 0)
fixed.dateFormat = "yyyy-MM-dd HH:mm:ss.SSS"
compare("date of a database", fixed.string(from: moment), "2001-09-09 01:46:40.000")

for locale in [Locale.current, german, japanese, Locale(identifier: "en_US_POSIX")] {
    let date = DateFormatter()
    (date.locale, date.dateStyle, date.timeStyle) = (locale, .full, .full)
    print(locale.identifier, date.string(from: moment), moment.formatted(Date.FormatStyle(locale: locale)))
    for style in [NumberFormatter.Style.decimal, .currency, .percent, .scientific, .spellOut, .ordinal, .currencyPlural] {
        let number = NumberFormatter()
        (number.locale, number.numberStyle) = (locale, style)
        print(number.string(from: 1234.5) ?? "-", number.number(from: "1") ?? "-")
    }
    print(1234.5.formatted(.number.locale(locale)), 3.formatted(.currency(code: "EUR").locale(locale)), 0.5.formatted(.percent))
    print("a".compare("ä", locale: locale).rawValue, "İI".lowercased(with: locale), moment.description(with: locale))
    print(locale.localizedString(forLanguageCode: "fr") ?? "-", locale.localizedString(forRegionCode: "FR") ?? "-")
    print(TimeZone(identifier: "Asia/Tokyo")?.localizedName(for: .standard, locale: locale) ?? "-", Locale.availableIdentifiers.count)
    print(locale.language.minimalIdentifier, locale.language.maximalIdentifier, locale.measurementSystem.identifier, locale.firstDayOfWeek)
    print(Decimal(string: "1.5", locale: locale) ?? "-", NSNumber(value: 1.5).description(withLocale: locale))
}
for calendar in [Calendar.Identifier.japanese, .buddhist, .chinese, .hebrew, .islamic, .persian, .coptic, .indian] {
    print(Calendar(identifier: calendar).dateComponents([.era, .year, .month, .day], from: moment))
}
print(moment.formatted(), moment.formatted(.relative(presentation: .named)), ["a", "b"].formatted(), Duration.seconds(90).formatted())
print("a2".localizedStandardCompare("a10").rawValue, "ä".localizedCaseInsensitiveCompare("Z").rawValue, "b".localizedCompare("a").rawValue)
print("日本".applyingTransform(.toLatin, reverse: false) ?? "-", String(data: Data([0x93, 0xFA]), encoding: .shiftJIS) ?? "-")
print(ByteCountFormatter.string(fromByteCount: 12_345_678, countStyle: .file), CocoaError(.fileNoSuchFile).localizedDescription)

exit(wrong == 0 ? 0 : 1)
