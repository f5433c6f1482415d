import CodeCoverage
import Evidence

/// The versions of the system libraries that are loaded, as they say themselves.
public enum SystemLibraries {
    /// libxml2, such as `2.9.14`.
    public static var libxml2: String { XMLPushParser.libraryVersion }
    /// zlib, such as `1.2.13`.
    public static var zlib: String { Inflation.libraryVersion }
}
