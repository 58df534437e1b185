package dev.zarrreactive.faults;

import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Keeps what Netty says of buffers that were lost. Set up before the first test, by {@code
 * META-INF/services}, since Netty asks for its detector once.
 */
public final class LeakWatch implements LauncherSessionListener {
  private static final List<String> LEAKS = new CopyOnWriteArrayList<>();

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(
        new ResourceLeakDetectorFactory() {
          @Override
          @SuppressWarnings("deprecation") // the old form must be overridden too
          public <T> ResourceLeakDetector<T> newResourceLeakDetector(
              Class<T> resource, int interval, long maxActive) {
            return new Recording<>(resource, interval);
          }
        });
  }

  /** What was lost until now; asks the garbage collector. */
  public static List<String> leaks() {
    for (int i = 0; i < 5; i++) {
      System.gc();
      for (int j = 0; j < 16; j++) {
        ByteBufAllocator.DEFAULT.buffer(1).release(); // an allocation tells of those before it
      }
    }
    return List.copyOf(LEAKS);
  }

  /** Forgets what is known, for the test that loses a buffer on purpose. */
  public static void forget() {
    LEAKS.clear();
  }

  private static final class Recording<T> extends ResourceLeakDetector<T> {
    Recording(Class<T> resource, int interval) {
      super(resource, interval);
    }

    @Override
    protected boolean needReport() {
      return true;
    }

    @Override
    protected void reportTracedLeak(String type, String records) {
      LEAKS.add(type + ": " + records);
    }

    @Override
    protected void reportUntracedLeak(String type) {
      LEAKS.add(type);
    }
  }
}
