package dev.zarrreactive.webflux;

import static dev.zarrreactive.webflux.GeneratedStore.CHUNKS;
import static dev.zarrreactive.webflux.GeneratedStore.CHUNK_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A service with a heap of 256 MiB, and ten clients that want 480 MiB and do not read on. */
class SlowClientsTest {
  private static final int CLIENTS = 10;

  /**
   * The chunks of a client that reads no more: two bands of two chunks that are read ahead, one in
   * the server's queue of 128 pieces, and some in the sockets, whose buffers the service bounds.
   */
  private static final int MOST_CHUNKS_OF_A_CLIENT = 8;

  private Process service;
  private int port;
  private final List<String> log = new CopyOnWriteArrayList<>();
  private final List<RawClient> clients = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    service =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                SlowService.class.getName())
            .redirectErrorStream(true)
            .start();
    BufferedReader output = service.inputReader();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      log.add(line);
      if (line.startsWith("port ")) {
        port = Integer.parseInt(line.substring("port ".length()));
        Thread rest = new Thread(() -> output.lines().forEach(log::add), "log of the service");
        rest.setDaemon(true);
        rest.start();
        return;
      }
    }
    throw new IllegalStateException("the service did not start: " + log);
  }

  @AfterEach
  void stop() throws Exception {
    for (RawClient client : clients) {
      client.close();
    }
    service.destroyForcibly();
    assertThat(service.waitFor(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void the_service_reads_no_more_than_its_clients_and_all_get_the_right_bytes() throws Exception {
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(all().read(100_000));
    }
    assertEverythingArrives(all());
    assertThat(figure("/requests") - CHUNKS)
        .isBetween((long) CLIENTS, (long) CLIENTS * MOST_CHUNKS_OF_A_CLIENT);

    assertEverythingArrives(clients.get(0));
    assertEverythingArrives(clients.get(1));

    for (RawClient client : clients) {
      client.close();
    }
    while (figure("/bytes-in-flight") > 0) {
      Thread.sleep(20);
    }
    long requests = figure("/requests") - 3 * CHUNKS;
    assertThat(requests).isLessThanOrEqualTo((CLIENTS - 2L) * MOST_CHUNKS_OF_A_CLIENT);
    assertThat(service.isAlive()).as("%s", log).isTrue();
  }

  @Test
  void a_file_says_its_length_and_its_type_and_is_the_elements_after_a_header() throws Exception {
    try (RawClient client = new RawClient(port, "/arrays/t2m?select=3,:")) {
      client.read(Long.MAX_VALUE);
      assertThat(client.header("content-length")).isEqualTo(Long.toString(128 + CHUNK_BYTES));
      assertThat(client.header("content-type")).isEqualTo("application/x-npy");
      assertThat(client.received()).isEqualTo(128 + CHUNK_BYTES);
      assertThat(client.text())
          .contains("NUMPY", "'descr': '|u1'", "'shape': (" + CHUNK_BYTES + ",)");
    }
  }

  private RawClient all() throws IOException {
    return new RawClient(port, "/arrays/t2m?select=...", "application/octet-stream");
  }

  private static void assertEverythingArrives(RawClient client) throws IOException {
    try (client) {
      client.read(Long.MAX_VALUE);
      CRC32 expected = new CRC32();
      for (int chunk = 0; chunk < CHUNKS; chunk++) {
        expected.update(GeneratedStore.chunk(chunk));
      }
      assertThat(client.received()).isEqualTo((long) CHUNKS * CHUNK_BYTES);
      assertThat(client.checksum()).isEqualTo(expected.getValue());
    }
  }

  private long figure(String path) throws IOException {
    try (RawClient client = new RawClient(port, path)) {
      return Long.parseLong(client.read(Long.MAX_VALUE).text());
    }
  }
}
