import java.nio.file.FileSystems
import java.nio.file.Files
import java.nio.file.StandardCopyOption

/** Files of workspaces. */
class Trees {
    static void copy(File from, File to) {
        Files.walk(from.toPath()).forEach { source ->
            def target = to.toPath().resolve(from.toPath().relativize(source))
            if (Files.isDirectory(source)) {
                Files.createDirectories(target)
            } else {
                Files.copy(source, target, StandardCopyOption.COPY_ATTRIBUTES, StandardCopyOption.REPLACE_EXISTING)
            }
        }
    }

    /** The files that a pattern names; several are parted by commas. The folder itself may be missing. */
    static List<File> matching(File folder, Object patterns) {
        if (!folder.isDirectory()) { return [] }
        def matchers = patterns.toString().split(',').collect { FileSystems.default.getPathMatcher('glob:' + it.trim()) }
        def files = []
        folder.eachFileRecurse { file ->
            def path = folder.toPath().relativize(file.toPath())
            if (file.isFile() && matchers.any { it.matches(path) }) { files << file }
        }
        files.sort()
    }
}
