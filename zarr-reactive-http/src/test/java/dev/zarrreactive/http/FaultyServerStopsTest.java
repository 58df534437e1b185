package dev.zarrreactive.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.store.memory.MemoryStore;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.RepeatedTest;

/** A server that has died answers no request, even of a connection that it was accepting. */
class FaultyServerStopsTest {
  private static final byte[] QUESTION =
      "GET /a HTTP/1.1\r\nhost: here\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  @RepeatedTest(10)
  void no_request_is_answered_after_the_stop() throws Exception {
    List<Socket> sockets = new ArrayList<>();
    try (FaultyServer server = FaultyServer.of(MemoryStore.create())) {
      CompletableFuture<Void> callers = CompletableFuture.runAsync(() -> call(server, sockets));
      while (server.connections() < 3) {
        Thread.onSpinWait();
      }
      server.stop();
      callers.join();
      for (Socket socket : sockets) {
        assertThat(answer(socket)).as("the first byte of an answer").isNegative();
      }
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  private static void call(FaultyServer server, List<Socket> sockets) {
    try {
      while (sockets.size() < 1000) {
        sockets.add(new Socket("127.0.0.1", server.port()));
      }
    } catch (IOException e) {
      // refused: it is gone
    }
  }

  private static int answer(Socket socket) throws IOException {
    try {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(QUESTION);
      return socket.getInputStream().read();
    } catch (SocketTimeoutException e) {
      throw e; // the connection is open
    } catch (IOException e) {
      return -1;
    }
  }
}
