import java.lang.annotation.Retention
import java.lang.annotation.RetentionPolicy

/** `@Library('kanmon') _`: the emulator has one library, the folder given to it; its name is checked. */
@Retention(RetentionPolicy.SOURCE)
@interface Library {
    String[] value()
}
