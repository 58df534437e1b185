package dev.zarrreactive.webflux;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.testkit.Distance;
import dev.zarrreactive.testkit.DistantStore;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32;
import org.springframework.boot.web.embedded.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.scheduler.Schedulers;

/**
 * Prints what 100 slow clients and 20 fast ones cost the controller of the documentation, over an
 * array of 4 GiB in a store that is 20 ms away. No test: it takes 20 seconds. For a JVM with {@code
 * -Xmx256m}, clients and service together. The argument is the size of the send buffers in KiB.
 */
@Configuration(proxyBeanMethods = false)
public class SlowClientFigures {
  private static final int SLOW = 100;
  private static final int FAST = 20;
  private static final int SLOW_BYTES = 200_000;
  private static final int SECONDS = 20;
  private static final int ROWS = 4096;
  private static final int PIECE = 16 << 10;
  private static final GeneratedStore GENERATED = new GeneratedStore(ROWS);

  private static int sendBuffer;
  private static volatile boolean over;

  @Bean
  Store store() {
    return DistantStore.of(
        GENERATED, Distance.of(Duration.ofMillis(20)), Schedulers.newSingle("link", true));
  }

  @Bean
  WebServerFactoryCustomizer<NettyReactiveWebServerFactory> sendBuffers() {
    return factory ->
        factory.addServerCustomizers(
            server ->
                sendBuffer == 0 ? server : server.childOption(ChannelOption.SO_SNDBUF, sendBuffer));
  }

  /** Runs them. */
  public static void main(String[] arguments) throws InterruptedException {
    sendBuffer = arguments.length == 0 ? 0 : Integer.parseInt(arguments[0]) << 10;
    ConfigurableApplicationContext service =
        SliceService.start(Map.of("zarr.max-slice-size", "8GB"), SlowClientFigures.class);
    int port = SliceService.port(service);
    AtomicLong slow = new AtomicLong();
    AtomicLong fast = new AtomicLong();
    AtomicInteger errors = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < SLOW + FAST; i++) {
      int first = 30 * i;
      boolean isSlow = i < SLOW;
      Thread client =
          new Thread(
              null,
              () -> {
                try {
                  read(port, first, isSlow ? SLOW_BYTES : 0, isSlow ? slow : fast);
                } catch (IOException | InterruptedException | AssertionError e) {
                  System.out.println(e);
                  errors.incrementAndGet();
                }
              },
              "client-" + i,
              256 << 10);
      threads.add(client);
      client.start();
    }
    Thread.sleep(1000L * SECONDS);
    over = true;
    for (Thread thread : threads) {
      thread.join();
    }
    Thread.sleep(200);
    long requests = GENERATED.requests();
    long held = service.getBean(ZarrHierarchy.class).bytesInFlight();
    Thread.sleep(1000);
    System.out.printf("errors, wrong bytes: %d%n", errors.get());
    System.out.printf(
        "taken: %d MiB, of which slow clients %d MiB; read ahead: %d MiB%n",
        (slow.get() + fast.get()) >> 20,
        slow.get() >> 20,
        requests - ((slow.get() + fast.get()) >> 20));
    System.out.printf(
        "share of their speed that slow clients lack: %.2f%n",
        1 - slow.get() / (double) ((long) SLOW * SLOW_BYTES * SECONDS));
    System.out.printf("bytes in flight 200 ms after all have left: %d%n", held);
    System.out.printf("requests after that: %d%n", GENERATED.requests() - requests);
    System.exit(errors.get() + held == 0 && GENERATED.requests() == requests ? 0 : 1);
  }

  private static void read(int port, int first, int bytesPerSecond, AtomicLong taken)
      throws IOException, InterruptedException {
    long begun = System.nanoTime();
    try (RawClient client =
        new RawClient(port, "/arrays/t2m?select=" + first + ":,:", "application/octet-stream")) {
      while (!over) {
        long before = client.received();
        client.read(PIECE);
        taken.addAndGet(client.received() - before);
        if (bytesPerSecond > 0) {
          long due = begun + client.received() * 1_000_000_000L / bytesPerSecond;
          Thread.sleep(Math.max(0, (due - System.nanoTime()) / 1_000_000));
        }
      }
      check(client, first);
    }
  }

  private static void check(RawClient client, int first) throws IOException {
    CRC32 expected = new CRC32();
    long rest = client.received();
    for (int row = first; rest > 0; row++) {
      int size = (int) Math.min(rest, GeneratedStore.CHUNK_BYTES);
      expected.update(GeneratedStore.chunk(row), 0, size);
      rest -= size;
    }
    if (expected.getValue() != client.checksum()) {
      throw new IOException("wrong bytes from row " + first);
    }
  }
}
