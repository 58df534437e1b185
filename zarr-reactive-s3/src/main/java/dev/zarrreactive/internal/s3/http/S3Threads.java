package dev.zarrreactive.internal.s3.http;

import dev.zarrreactive.internal.threads.Daemons;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import reactor.core.scheduler.Scheduler;
import software.amazon.awssdk.http.nio.netty.SdkEventLoopGroup;
import software.amazon.awssdk.protocols.query.unmarshall.XmlDomParser;

/** The threads of all stores over S3. */
public final class S3Threads {
  private static final int THREADS = 4;
  private static final int IDLE_SECONDS = 10;

  private S3Threads() {}

  /**
   * Returns the threads that make clients and look up credentials, which reads files and calls
   * servers. A few daemons, which end when they have been idle for ten seconds.
   */
  public static Scheduler mayBlock() {
    return MayBlock.SCHEDULER;
  }

  /** Returns the timer of stall watches: one daemon, which never works long. */
  public static Scheduler timer() {
    return Timer.SCHEDULER;
  }

  /**
   * Returns the event loops of all stores, as many as processors: daemons that never stop, so that
   * a store closes quickly.
   */
  public static SdkEventLoopGroup eventLoops() {
    return EventLoops.GROUP;
  }

  /** Initialized by the first client. */
  private static final class EventLoops {
    static final SdkEventLoopGroup GROUP =
        SdkEventLoopGroup.create(
            new NioEventLoopGroup(
                Math.max(2, Runtime.getRuntime().availableProcessors()), new EventLoopThreads()),
            InterimResponseFilter::channel);
  }

  /** Prepares the XML parser of each event loop, for which the SDK searches all jars. */
  private static final class EventLoopThreads extends DefaultThreadFactory {
    EventLoopThreads() {
      super("zarr-s3-io", true);
    }

    @Override
    protected Thread newThread(Runnable loop, String name) {
      return super.newThread(
          () -> {
            prepare();
            loop.run();
          },
          name);
    }

    /** Runs before the thread is an event loop, so that no connection waits. */
    private static void prepare() {
      try (SocketChannel first = SocketChannel.open()) {
        var unused = first.socket(); // the first one reads a file of the JDK
        var unusedToo =
            XmlDomParser.parse(new ByteArrayInputStream("<a/>".getBytes(StandardCharsets.UTF_8)));
      } catch (IOException | RuntimeException | LinkageError e) {
        // this version of the SDK has another parser, and its first response searches the jars
      }
    }
  }

  /** Initialized by the first store that needs it. */
  private static final class MayBlock {
    static final Scheduler SCHEDULER = Daemons.mayBlock(THREADS, "zarr-s3-setup", IDLE_SECONDS);
  }

  /** Initialized by the first request that needs it. */
  private static final class Timer {
    static final Scheduler SCHEDULER = Daemons.timer("zarr-s3-timer");
  }
}
