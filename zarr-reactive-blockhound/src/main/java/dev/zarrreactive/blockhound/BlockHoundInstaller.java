package dev.zarrreactive.blockhound;

import java.lang.System.Logger.Level;
import org.junit.platform.launcher.TestExecutionListener;
import reactor.blockhound.BlockHound;

/**
 * Installs BlockHound before the first test. A JVM that does not let BlockHound change classes runs
 * the tests without it, and a warning in the log says what is missing.
 *
 * <p>JUnit finds this class by {@link java.util.ServiceLoader}.
 */
public final class BlockHoundInstaller implements TestExecutionListener {
  /** Called by {@link java.util.ServiceLoader}. */
  public BlockHoundInstaller() {
    try {
      BlockHound.install();
    } catch (RuntimeException | LinkageError e) {
      System.getLogger(BlockHoundInstaller.class.getName())
          .log(
              Level.WARNING,
              "tests run without BlockHound: start the JVM with"
                  + " -XX:+AllowRedefinitionToAddDeleteMethods, and from Java 21 on with"
                  + " -XX:+EnableDynamicAgentLoading too",
              e);
    }
  }
}
