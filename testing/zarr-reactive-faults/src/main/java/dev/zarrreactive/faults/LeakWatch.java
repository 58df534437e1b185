package dev.zarrreactive.faults;

import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Records the buffers that Netty reports as lost. {@code META-INF/services} sets it up before the
 * first test, for Netty looks up its detector once.
 */
public final class LeakWatch implements LauncherSessionListener {
  private static final List<String> LEAKS = new CopyOnWriteArrayList<>();

  /** The wait for a reference after a collection, before the next one. */
  private static final Duration ENQUEUED = Duration.ofSeconds(1);

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
    // Netty reads files of the system once: here, not on a thread that must not block
    ByteBufAllocator.DEFAULT.buffer(1).release();
  }

  /** Runs the garbage collector and returns the buffers lost so far. */
  public static List<String> leaks() {
    collect();
    collect(); // the references that the first one found are enqueued now
    ByteBufAllocator.DEFAULT.buffer(1).release(); // an allocation reports the lost ones before it
    return List.copyOf(LEAKS);
  }

  /** Collects garbage until an object that is lost here is found. */
  private static void collect() {
    ReferenceQueue<Object> queue = new ReferenceQueue<>();
    WeakReference<Object> canary = new WeakReference<>(new Object(), queue);
    try {
      do {
        System.gc();
      } while (queue.remove(ENQUEUED.toMillis()) == null);
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted while the garbage collector runs", e);
    } finally {
      Reference.reachabilityFence(canary);
    }
  }

  /** Clears the record, for the test that loses a buffer on purpose. */
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
