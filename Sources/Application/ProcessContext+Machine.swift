import Foundation
import RunModel

extension ProcessContext {
    /// The operating system and its version. Where it does not say what it is, the name of the host is in its place, so that no two
    /// machines are taken for alike.
    var operatingSystem: String {
        let text = ["/etc/os-release", "/usr/lib/os-release"].lazy.compactMap(FileManager.default.contents).first
        return Self.operatingSystem(text ?? Data()) ?? "unknown, of \(process.host)"
    }

    /// The system that the text of `os-release` names; `nil` if it names none.
    static func operatingSystem(_ text: Data) -> String? {
        let lines = text.split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
        let fields = ["ID=", "VERSION_ID=", "BUILD_ID="].compactMap { name in lines.first { $0.hasPrefix(name) } }
        return fields.isEmpty ? nil : fields.joined(separator: " ")
    }

    /// The machine of this process; `nil` if unknown.
    var machine: MachineClass? {
        guard let bytes = FileManager.default.contents(atPath: "/proc/cpuinfo") else { return nil }
        return MachineClass(cpuinfo: String(decoding: bytes, as: UTF8.self), cores: processors)
    }

    /// How many processors there are.
    package var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}

extension MachineClass {
    /// Reads the processor from the text of `/proc/cpuinfo`: its name, or the fields that ARM processors have
    /// instead.
    init?(cpuinfo: String, cores: Int) {
        guard cores > 0 else { return nil }
        var fields: [String: String] = [:]
        for line in cpuinfo.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let name = parts[0].trimmingCharacters(in: .whitespaces)
            if fields[name] == nil { fields[name] = parts[1].trimmingCharacters(in: .whitespaces) }
        }
        if let name = fields["model name"], !name.isEmpty {
            self.init(processor: name, cores: cores)
        } else if let implementer = fields["CPU implementer"], let part = fields["CPU part"] {
            self.init(processor: "ARM \(implementer) \(part)", cores: cores)
        } else {
            return nil
        }
    }
}
