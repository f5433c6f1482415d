/// Which Kanmon this is.
package enum Release {
    /// The version of this build, as manifests record it.
    package static let version = "0.1.0"
}
