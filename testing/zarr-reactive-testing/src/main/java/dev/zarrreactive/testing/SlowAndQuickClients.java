package dev.zarrreactive.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/**
 * Small responses of a service alone, and beside 200 clients that read large ones at 20 kB/s: how
 * long they take, for programs that measure, and what becomes of each client, for tests.
 */
public final class SlowAndQuickClients {
  private static final int SLOW = 200;
  private static final int QUICK = 20;
  private static final int BYTES_PER_SECOND = 20_000;
  private static final int REPEATED = 10;

  private final int port;
  private final String large;
  private final IntFunction<String> small;
  private final AtomicInteger served = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();
  private final AtomicInteger quickServed = new AtomicInteger();
  private final AtomicInteger quickFailed = new AtomicInteger();
  private final List<Long> waits = Collections.synchronizedList(new ArrayList<>());
  private final Map<String, AtomicInteger> others = new ConcurrentHashMap<>();
  private volatile boolean over;

  /**
   * Clients of a service.
   *
   * @param port of the service on this machine
   * @param large the path of a response of many MiB
   * @param small the path of a response of some bytes, for each number of a client
   */
  public SlowAndQuickClients(int port, String large, IntFunction<String> small) {
    this.port = port;
    this.large = large;
    this.small = small;
  }

  /**
   * Lets the quick clients ask again and again until each slow one is answered, prints how many
   * slow ones were served, refused and answered otherwise, and how often quick ones got what they
   * wanted and did not, and returns when all have left.
   */
  public void tell() throws InterruptedException {
    List<Thread> slow = slowOnes();
    do {
      List<Thread> quick = new ArrayList<>();
      for (int i = 0; i < QUICK; i++) {
        String path = small.apply(i);
        Thread client = new Thread(() -> askUntilServed(path));
        client.start();
        quick.add(client);
      }
      for (Thread client : quick) {
        client.join();
      }
    } while (served.get() + refused.get() + failed.get() < SLOW);
    System.out.printf(
        "%d %d %d %d %d%n",
        served.get(), refused.get(), failed.get(), quickServed.get(), quickFailed.get());
    leave(slow);
  }

  /** Asks again where the service is busy, as {@code Retry-After} says. */
  private void askUntilServed(String path) {
    for (boolean isAsking = true; isAsking; ) {
      String answer;
      try (Socket socket = ask(path)) {
        answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      } catch (IOException e) {
        answer = e.toString();
      }
      if (answer.startsWith("HTTP/1.1 200 OK")) {
        quickServed.incrementAndGet();
        isAsking = false;
      } else if (!isLater(answer)) {
        System.out.println(answer);
        quickFailed.incrementAndGet();
        isAsking = false;
      }
    }
  }

  private static boolean isLater(String answer) {
    return answer.startsWith("HTTP/1.1 503 ")
        && answer.toLowerCase(Locale.ROOT).contains("retry-after: ");
  }

  /**
   * Starts a program that lets the clients {@link #tell}, and then prints that nothing is held.
   * Each slow client is served, or told to come again later: 503 with {@code Retry-After}. Each
   * quick one got what it wanted while slow ones were there.
   */
  public static void assertEachIsServedOrToldToComeLater(Class<?> program) {
    try (ChildProcess crowd = ChildProcess.start(program, "tell")) {
      String line = crowd.line();
      while (line != null && !line.matches("[0-9 ]+")) {
        line = crowd.line();
      }
      String told = Objects.requireNonNull(line, "the program has told nothing");
      int[] counts = Arrays.stream(told.split(" ", -1)).mapToInt(Integer::parseInt).toArray();
      assertThat(counts[0]).as("served").isPositive();
      assertThat(counts[1]).as("refused").isPositive();
      assertThat(counts[0] + counts[1]).as("served or refused").isEqualTo(SLOW);
      assertThat(counts[2]).as("answered otherwise").isZero();
      assertThat(counts[3]).as("quick ones served").isGreaterThanOrEqualTo(QUICK);
      assertThat(counts[4]).as("quick ones answered otherwise").isZero();
      assertThat(crowd.line()).isEqualTo("nothing is held");
    }
  }

  private List<Thread> slowOnes() {
    List<Thread> slow = new ArrayList<>();
    for (int i = 0; i < SLOW; i++) {
      Thread client = new Thread(null, this::slow, "slow-" + i, 256 << 10);
      client.start();
      slow.add(client);
    }
    return slow;
  }

  private void leave(List<Thread> slow) throws InterruptedException {
    over = true;
    for (Thread thread : slow) {
      thread.join();
    }
  }

  /** Measures them, and returns when all have left. */
  public void run() throws InterruptedException {
    quick();
    print("alone", quick());
    List<Thread> slow = slowOnes();
    Thread.sleep(15_000); // more than the longest wait
    print("beside slow clients", quick());
    System.out.printf(
        "slow clients: %d served, %d refused, %d failed; longest time to a refusal: %d ms%n",
        served.get(), refused.get(), failed.get(), waits.stream().max(Long::compare).orElse(0L));
    leave(slow);
    Thread.sleep(500);
  }

  private void print(String what, List<Long> micros) {
    others.forEach((answer, count) -> System.out.println(count + " times " + answer));
    others.clear();
    if (micros.isEmpty()) {
      System.out.println("small slices " + what + ": none answered");
      return;
    }
    System.out.printf(
        "small slices %s: median %.1f ms, longest %.1f ms, %d of %d answered%n",
        what,
        micros.get(micros.size() / 2) / 1e3,
        micros.get(micros.size() - 1) / 1e3,
        micros.size(),
        QUICK * REPEATED);
  }

  private List<Long> quick() throws InterruptedException {
    List<Long> micros = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < QUICK; i++) {
      int number = i;
      Thread client =
          new Thread(
              () -> {
                for (int n = 0; n < REPEATED; n++) {
                  long begun = System.nanoTime();
                  try (Socket socket = ask(small.apply(number))) {
                    byte[] all = socket.getInputStream().readAllBytes();
                    if (new String(all, 0, 15, StandardCharsets.US_ASCII)
                        .equals("HTTP/1.1 200 OK")) {
                      micros.add((System.nanoTime() - begun) / 1000);
                    } else {
                      others
                          .computeIfAbsent(
                              new String(all, StandardCharsets.UTF_8), text -> new AtomicInteger())
                          .incrementAndGet();
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

  private Socket ask(String path) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    String request =
        "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".formatted(path);
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private void slow() {
    long begun = System.nanoTime();
    try (Socket socket = ask(large);
        InputStream input = new BufferedInputStream(socket.getInputStream(), 2 << 10)) {
      byte[] status = input.readNBytes(15);
      if (!new String(status, StandardCharsets.US_ASCII).endsWith(" 200 OK")) {
        waits.add((System.nanoTime() - begun) / 1_000_000);
        String answer =
            new String(status, StandardCharsets.ISO_8859_1)
                + new String(input.readAllBytes(), StandardCharsets.ISO_8859_1);
        (isLater(answer) ? refused : failed).incrementAndGet();
        return;
      }
      served.incrementAndGet();
      byte[] piece = new byte[2 << 10];
      while (!over && input.read(piece) >= 0) {
        Thread.sleep(1000L * piece.length / BYTES_PER_SECOND);
      }
    } catch (IOException | InterruptedException e) {
      System.out.println(e);
      failed.incrementAndGet();
    }
  }
}
