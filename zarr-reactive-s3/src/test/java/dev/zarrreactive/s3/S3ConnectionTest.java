package dev.zarrreactive.s3;

import static dev.zarrreactive.s3.OneValue.KEY;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Version;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes of a server besides its responses. */
@ExtendWith(NoLeaks.class)
class S3ConnectionTest {
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicLong bodies = new AtomicLong();
  private volatile boolean refuses;
  private volatile boolean closesUnderBodies;
  private volatile IntFunction<String> answers = number -> "";
  private final ServerSocket server = listening();

  private final S3Store store =
      settings(
              S3Store.at("bucket")
                  .endpoint(URI.create("http://127.0.0.1:" + server.getLocalPort()))
                  .anonymous()
                  .connections(1)) // a request waits for the connection of the one before it
          .open();

  S3StoreBuilder settings(S3StoreBuilder builder) {
    return builder;
  }

  private ServerSocket listening() {
    try {
      ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
      start(() -> accept(socket));
      return socket;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "raw-server");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept(ServerSocket socket) {
    try {
      while (true) {
        Socket connection = socket.accept();
        connections.incrementAndGet();
        start(() -> serve(connection));
      }
    } catch (IOException e) {
      // the test is over
    }
  }

  private void serve(Socket connection) {
    try (connection;
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(connection.getInputStream(), StandardCharsets.US_ASCII))) {
      OutputStream out = connection.getOutputStream();
      long body = 0;
      boolean asks = false;
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String header = line.toLowerCase(Locale.ROOT);
        asks |= header.startsWith("expect: 100");
        if (header.startsWith("content-length:")) {
          body = Long.parseLong(header.substring(15).strip());
        }
        if (line.isEmpty()) { // the end of a head, and of a GET
          if (asks && !refuses) {
            out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            out.flush();
            if (closesUnderBodies) {
              return;
            }
            for (long left = body; left > 0; left -= in.skip(left)) {
              Thread.onSpinWait();
            }
            bodies.addAndGet(body);
          }
          asks = false;
          body = 0;
          String answer = answers.apply(requests.getAndIncrement());
          out.write(answer.getBytes(StandardCharsets.US_ASCII));
          out.flush();
          if (answer.contains("connection: close")) {
            return;
          }
        }
      }
    } catch (IOException e) {
      // the store has closed the connection
    }
  }

  @AfterEach
  void close() throws IOException {
    await(store.close());
    server.close();
  }

  private static String answer(String body) {
    return "HTTP/1.1 200 OK\r\netag: \"1\"\r\ncontent-length: " + body.length() + "\r\n\r\n" + body;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n",
        "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\n"
      })
  void an_interim_answer_is_not_the_answer(String interim) {
    answers = number -> interim + answer("value " + number);
    assertThat(await(store.get(KEY))).isEqualTo(Bytes.utf8("value 0"));
    assertThat(await(store.get(KEY))).isEqualTo(Bytes.utf8("value 1"));
    assertThat(connections).as("it is used again").hasValue(1);
  }

  @Test
  void an_answer_without_a_request_is_not_taken_for_the_next_one() {
    answers = number -> answer("value " + number) + (number == 0 ? answer("other 1") : "");
    assertThat(await(store.get(KEY))).isEqualTo(Bytes.utf8("value 0"));
    assertThat(await(store.get(KEY))).isEqualTo(Bytes.utf8("value 1"));
    assertThat(connections).hasValue(2);
  }

  @Test
  void a_large_value_on_condition_is_sent_when_the_server_wants_it() {
    answers = number -> answer("");
    int size = 3 << 20;
    for (int i = 0; i < 3; i++) {
      await(store.set(KEY, OneValue.random(size), Precondition.ABSENT));
    }
    assertThat(bodies).hasValue(3L * size);
    assertThat(connections).hasValue(1);
  }

  /** The body is not read, so that the connection is reset: had it been sent, no answer came. */
  @Test
  void a_refusal_that_comes_before_the_body_is_known_for_one() {
    refuses = true;
    answers =
        number ->
            "HTTP/1.1 412 Precondition Failed\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    assertThat(errorOf(store.set(KEY, OneValue.random(32 << 20), Precondition.ABSENT)))
        .isInstanceOf(PreconditionFailedException.class);
  }

  /** The server wants the body and refuses it when it comes; the connection is reset under it. */
  @Test
  void a_refusal_that_is_lost_with_its_connection_is_found_by_looking() {
    closesUnderBodies = true;
    answers =
        number ->
            "HTTP/1.1 200 OK\r\netag: \"new\"\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    Bytes large = OneValue.random(32 << 20);
    assertThat(errorOf(store.set(KEY, large, Precondition.ABSENT)))
        .isInstanceOf(PreconditionFailedException.class);
    assertThat(errorOf(store.set(KEY, large, Precondition.matches(new Version("\"old\"")))))
        .isInstanceOf(PreconditionFailedException.class);
    assertThat(errorOf(store.set(KEY, large, Precondition.matches(new Version("\"new\"")))))
        .isInstanceOf(TransientStoreException.class);
  }

  /** The pool of the SDK may lose a request whose connection fails while it is being set up. */
}
