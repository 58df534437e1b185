package dev.zarrreactive.blockhound;

import java.lang.System.Logger.Level;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import reactor.blockhound.BlockHound;
import reactor.blockhound.BlockingOperationError;

/**
 * Installs BlockHound before the first test. A JVM that forbids BlockHound to change classes runs
 * the tests without it. A warning in the log then names the missing options.
 *
 * <p>A blocking call is an error where it is made. If nobody catches that error, the signal is lost
 * that the thread was about to give, and the test waits until it is stopped. So the calls of a test
 * that fails are printed after it.
 *
 * <p>A JVM that only looks for tests stays as it is. Maven's is one: it creates this class for each
 * module, and two modules that changed the JDK's classes at once have blocked each other.
 *
 * <p>JUnit finds this class by {@link java.util.ServiceLoader}.
 */
public final class BlockHoundInstaller implements TestExecutionListener {
  private final Queue<BlockingOperationError> refused = new ConcurrentLinkedQueue<>();

  /** Called by {@link java.util.ServiceLoader}. */
  public BlockHoundInstaller() {}

  @Override
  public void testPlanExecutionStarted(TestPlan testPlan) {
    try {
      BlockHound.builder()
          .loadIntegrations()
          .blockingMethodCallback(
              method -> {
                BlockingOperationError error = new BlockingOperationError(method);
                refused.add(error);
                throw error;
              })
          .install();
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

  @Override
  public void executionStarted(TestIdentifier test) {
    if (test.isTest()) {
      refused.clear();
    }
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (result.getStatus() == TestExecutionResult.Status.FAILED) {
      for (BlockingOperationError error : refused) {
        System.err.println("BlockHound refused during " + test.getDisplayName() + ":");
        error.printStackTrace();
      }
    }
  }
}
