package dev.zarrreactive.blockhound;

import java.lang.System.Logger.Level;
import org.junit.platform.launcher.TestExecutionListener;
import reactor.blockhound.BlockHound;

/**
 * Installs BlockHound before the first test. A JVM that forbids BlockHound to change classes runs
 * the tests without it. A warning in the log then names the missing options.
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
