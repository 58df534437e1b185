package dev.zarrreactive.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.store.memory.MemoryStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The server answers each request of a connection, even those that it has to queue. */
class FaultyServerAnswersTest {
  private static final int PATIENCE_MILLIS = 60_000;

  @Test
  void a_request_after_a_queued_one_is_answered() throws IOException {
    try (FaultyServer server = FaultyServer.of(MemoryStore.create());
        Socket connection = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      server.misbehave(
          Fault.delay(Duration.ofMillis(50)).where(asked -> asked.path().endsWith("slow")));
      connection.setSoTimeout(PATIENCE_MILLIS);
      BufferedReader responses =
          new BufferedReader(new InputStreamReader(connection.getInputStream(), US_ASCII));
      connection.getOutputStream().write((request("slow") + request("queued")).getBytes(US_ASCII));
      assertThat(status(responses)).contains("404");
      assertThat(status(responses)).contains("404");
      connection.getOutputStream().write(request("last").getBytes(US_ASCII));
      assertThat(status(responses)).contains("404");
      assertThat(server.requests()).hasSize(3);
    }
  }

  private static String request(String key) {
    return "HEAD /" + key + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  }

  private static String status(BufferedReader responses) throws IOException {
    String status = responses.readLine();
    for (String line = status; !line.isEmpty(); line = responses.readLine()) {
      assertThat(line).isNotNull();
    }
    return status;
  }
}
