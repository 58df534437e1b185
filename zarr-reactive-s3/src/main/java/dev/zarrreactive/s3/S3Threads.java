package dev.zarrreactive.s3;

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
final class S3Threads {
  private static final int THREADS = 4;
  private static final int IDLE_SECONDS = 10;

  private S3Threads() {}

  /**
   * Where clients are made and credentials looked up, which reads files and asks servers. A few
   * daemons, gone when idle for ten seconds.
   */
  static Scheduler mayBlock() {
    return MayBlock.SCHEDULER;
  }

  /** Looks whether requests stall. One daemon, which never works long. */
  static Scheduler timer() {
    return Timer.SCHEDULER;
  }

  /**
   * The event loops of all stores, as many as there are processors: daemons, never stopped, so that
   * to close a store is quick.
   */
  static SdkEventLoopGroup eventLoops() {
    return EventLoops.GROUP;
  }

  /** Made when the first client is. */
  private static final class EventLoops {
    static final SdkEventLoopGroup GROUP =
        SdkEventLoopGroup.create(
            new NioEventLoopGroup(
                Math.max(2, Runtime.getRuntime().availableProcessors()), new EventLoopThreads()),
            InterimAnswers::channel);
  }

  /** The SDK reads XML on event loops, with a parser for each, which it looks for in all jars. */
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

    /** Before the thread is an event loop, so that no connection waits for it. */
    private static void prepare() {
      try (SocketChannel first = SocketChannel.open()) {
        var unused = first.socket(); // the first one reads a file of the JDK's
        var unusedToo =
            XmlDomParser.parse(new ByteArrayInputStream("<a/>".getBytes(StandardCharsets.UTF_8)));
      } catch (IOException | RuntimeException | LinkageError e) {
        // no parser of this name in this version of the SDK: then the first answer looks for it
      }
    }
  }

  /** Made when the first store needs it. */
  private static final class MayBlock {
    static final Scheduler SCHEDULER = Daemons.mayBlock(THREADS, "zarr-s3-setup", IDLE_SECONDS);
  }

  /** Made when the first request needs it. */
  private static final class Timer {
    static final Scheduler SCHEDULER = Daemons.timer("zarr-s3-timer");
  }
}
