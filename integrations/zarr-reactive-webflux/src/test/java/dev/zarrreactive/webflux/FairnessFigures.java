package dev.zarrreactive.webflux;

import dev.zarrreactive.ZarrHierarchy;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Prints how long small slices take alone, and beside 200 clients that read large slices at 20
 * kB/s. No test: it takes a minute. For a JVM with {@code -Xmx256m}, clients and service together.
 */
@Configuration(proxyBeanMethods = false)
public class FairnessFigures {
  private static final int SLOW = 200;
  private static final int QUICK = 20;
  private static final int BYTES_PER_SECOND = 20_000;
  private static final int REPEATED = 10;
  private static final int CHUNKS = 48;
  private static final int CHUNK_BYTES = 4 << 20;

  private static volatile boolean over;

  @Bean
  GeneratedStore store() {
    return new GeneratedStore(CHUNKS, CHUNK_BYTES);
  }

  /** Runs them. */
  public static void main(String[] arguments) throws InterruptedException {
    ConfigurableApplicationContext service = SliceService.start(Map.of(), FairnessFigures.class);
    int port = SliceService.port(service);
    small(port);
    print("alone", small(port));
    AtomicInteger served = new AtomicInteger();
    AtomicInteger refused = new AtomicInteger();
    AtomicInteger failed = new AtomicInteger();
    List<Long> waits = Collections.synchronizedList(new ArrayList<>());
    List<Thread> slow = new ArrayList<>();
    for (int i = 0; i < SLOW; i++) {
      Thread client =
          new Thread(
              null,
              () -> {
                try {
                  readSlowly(port, served, refused, waits);
                } catch (IOException | InterruptedException e) {
                  System.out.println(e);
                  failed.incrementAndGet();
                }
              },
              "slow-" + i,
              256 << 10);
      client.start();
      slow.add(client);
    }
    Thread.sleep(15_000); // more than the longest wait
    print("beside slow clients", small(port));
    System.out.printf(
        "slow clients: %d served, %d refused, %d failed; longest time to a refusal: %d ms%n",
        served.get(), refused.get(), failed.get(), waits.stream().max(Long::compare).orElse(0L));
    over = true;
    for (Thread thread : slow) {
      thread.join();
    }
    Thread.sleep(500);
    System.out.printf(
        "after all have left: %d bytes in flight, %d slices%n",
        service.getBean(ZarrHierarchy.class).bytesInFlight(),
        service.getBean(ZarrWebFlux.class).slices());
    System.exit(0);
  }

  private static void print(String what, List<Long> micros) {
    System.out.printf(
        "small slices %s: median %.1f ms, longest %.1f ms, %d of %d answered%n",
        what,
        micros.get(micros.size() / 2) / 1e3,
        micros.get(micros.size() - 1) / 1e3,
        micros.size(),
        QUICK * REPEATED);
  }

  private static List<Long> small(int port) throws InterruptedException {
    List<Long> micros = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < QUICK; i++) {
      int chunk = i;
      Thread client =
          new Thread(
              () -> {
                for (int n = 0; n < REPEATED; n++) {
                  long begun = System.nanoTime();
                  try (Socket socket = ask(port, chunk + ",0:1000")) {
                    byte[] all = socket.getInputStream().readAllBytes();
                    if (new String(all, 0, 15, StandardCharsets.US_ASCII)
                        .equals("HTTP/1.1 200 OK")) {
                      micros.add((System.nanoTime() - begun) / 1000);
                    }
                  } catch (IOException e) {
                    System.out.println(e);
                  }
                }
              });
      client.start();
      threads.add(client);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    List<Long> sorted = new ArrayList<>(micros);
    Collections.sort(sorted);
    return sorted;
  }

  private static Socket ask(int port, String select) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    String request =
        "GET /arrays/t2m?select=%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            .formatted(select);
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static void readSlowly(
      int port, AtomicInteger served, AtomicInteger refused, List<Long> waits)
      throws IOException, InterruptedException {
    long begun = System.nanoTime();
    try (Socket socket = ask(port, "...");
        InputStream input = new BufferedInputStream(socket.getInputStream(), 2 << 10)) {
      byte[] status = input.readNBytes(15);
      if (!new String(status, StandardCharsets.US_ASCII).endsWith(" 200 OK")) {
        refused.incrementAndGet();
        waits.add((System.nanoTime() - begun) / 1_000_000);
        return;
      }
      served.incrementAndGet();
      byte[] piece = new byte[2 << 10];
      while (!over && input.read(piece) >= 0) {
        Thread.sleep(1000L * piece.length / BYTES_PER_SECOND);
      }
    }
  }
}
