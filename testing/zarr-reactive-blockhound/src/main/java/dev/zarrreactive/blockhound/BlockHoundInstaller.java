package dev.zarrreactive.blockhound;

import java.lang.System.Logger.Level;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;
import reactor.blockhound.BlockHound;

/**
 * Installs BlockHound before the first test. A JVM that forbids BlockHound to change classes runs
 * the tests without it. A warning in the log then names the missing options.
 *
 * <p>A JVM that only looks for tests stays as it is. Maven's is one: it creates this class for each
 * module, and two modules that changed the JDK's classes at once have blocked each other.
 *
 * <p>JUnit finds this class by {@link java.util.ServiceLoader}.
 */
public final class BlockHoundInstaller implements TestExecutionListener {
  /** Called by {@link java.util.ServiceLoader}. */
  public BlockHoundInstaller() {}

  @Override
  public void testPlanExecutionStarted(TestPlan testPlan) {
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
