package dev.zarrreactive.server;

import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.testkit.HeldRequests;
import io.netty.channel.ChannelOption;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections that cost more than they ask for, and those that only look like it. */
class ClientConnectionsTest {
  private static final Duration SOON = Duration.ofMillis(200);
  private static final Duration NEVER = Duration.ofDays(1);
  private static final byte[] HALF = ascii("GET /a/c/0 HTTP/1.1\r\nHost: x\r\nX-A: ");
  private static final byte[] WHOLE = ascii("GET /a/c/0 HTTP/1.1\r\nHost: x\r\n\r\n");

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static Serving serving(UnaryOperator<ServerLimits> change) {
    Serving serving =
        new Serving(
            server ->
                server
                    .limits(
                        change.apply(
                            ServerLimits.defaults()
                                .withReadBytes(Serving.MOST)
                                .withHeadTimeout(NEVER)
                                .withIdleTimeout(NEVER)
                                .withStallTimeout(NEVER)))
                    .customize(netty -> netty.childOption(ChannelOption.SO_SNDBUF, 16 << 10)));
    serving.put(Serving.KEY, 10);
    return serving;
  }

  private static RawConnection connect(Serving serving) throws IOException {
    return new RawConnection(serving.server.port());
  }

  private static void assertServed(RawConnection client) throws IOException {
    assertThat(client.get("/a/c/0")).startsWith("HTTP/1.1 200 ");
    client.take(10);
  }

  @Test
  void a_connection_without_a_request_is_closed() throws IOException {
    try (Serving serving = serving(limits -> limits.withIdleTimeout(SOON));
        RawConnection silent = connect(serving)) {
      assertThat(silent.toEnd()).isEmpty();
      eventually("it is forgotten", () -> serving.server.connections() == 0);
    }
  }

  @Test
  void a_connection_without_a_further_request_is_closed() throws IOException {
    try (Serving serving = serving(limits -> limits.withIdleTimeout(SOON));
        RawConnection client = connect(serving)) {
      assertServed(client);
      assertThat(client.toEnd()).isEmpty();
    }
  }

  @Test
  void a_request_head_that_is_incomplete_in_time_closes_its_connection() throws IOException {
    try (Serving serving = serving(limits -> limits.withHeadTimeout(SOON));
        RawConnection client = connect(serving)) {
      client.send(HALF);
      eventually(
          "it is closed",
          () -> {
            try {
              client.send(ascii("a"));
            } catch (IOException closed) {
              return true;
            }
            return serving.server.connections() == 0;
          });
    }
  }

  @Test
  void the_head_of_a_further_request_has_its_time_too() throws IOException {
    try (Serving serving = serving(limits -> limits.withHeadTimeout(SOON));
        RawConnection client = connect(serving)) {
      assertServed(client);
      client.send(HALF);
      assertThat(client.toEnd()).isEmpty();
    }
  }

  /** The connection that is closed meanwhile shows that the times of the other one are over. */
  @Test
  void a_connection_whose_request_waits_for_the_store_stays() throws IOException {
    try (Serving serving =
            serving(
                limits ->
                    limits.withIdleTimeout(SOON).withHeadTimeout(SOON).withStallTimeout(SOON));
        RawConnection waiting = connect(serving)) {
      HeldRequests held = serving.store.hold(any -> true);
      waiting.send(WHOLE);
      eventually("the store is asked", () -> serving.store.counts().inFlight() > 0);
      for (int i = 0; i < 3; i++) {
        try (RawConnection silent = connect(serving)) {
          silent.toEnd();
        }
      }
      held.release();
      assertThat(new String(waiting.take(15), StandardCharsets.US_ASCII))
          .isEqualTo("HTTP/1.1 200 OK");
    }
  }

  @Test
  void a_further_connection_takes_the_place_of_the_one_that_waits_longest() throws IOException {
    try (Serving serving = serving(limits -> limits.withConnections(4))) {
      List<RawConnection> clients = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        clients.add(connect(serving));
        assertServed(clients.get(i));
      }
      assertServed(clients.get(0)); // so that the second has waited longest
      eventually("all wait", () -> serving.server.requestsUnderWay() == 0);
      try (RawConnection further = connect(serving)) {
        assertServed(further);
        assertThat(clients.get(1).toEnd()).isEmpty();
        assertThat(serving.server.connections()).isEqualTo(4);
        for (int other : new int[] {0, 2, 3}) {
          assertServed(clients.get(other));
        }
      }
      for (RawConnection client : clients) {
        client.close();
      }
      eventually("all are forgotten", () -> serving.server.connections() == 0);
    }
  }

  @Test
  void many_idle_connections_lock_no_client_out() throws IOException {
    try (Serving serving = serving(limits -> limits.withConnections(20))) {
      List<RawConnection> silent = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        RawConnection client = connect(serving);
        silent.add(client);
        if (i % 2 == 0) {
          sendIfOpen(client, HALF);
        }
      }
      try (RawConnection client = connect(serving)) {
        assertServed(client);
      }
      assertThat(serving.server.connections()).isLessThanOrEqualTo(20);
      for (RawConnection client : silent) {
        client.close();
      }
    }
  }

  private static void sendIfOpen(RawConnection client, byte[] bytes) throws IOException {
    try {
      client.send(bytes);
    } catch (SocketException closed) {
      // another one has taken its place
    }
  }

  @Test
  void a_further_connection_is_closed_where_all_are_being_answered() throws IOException {
    try (Serving serving = serving(limits -> limits.withConnections(2));
        RawConnection first = connect(serving);
        RawConnection second = connect(serving)) {
      HeldRequests held = serving.store.hold(any -> true);
      first.send(WHOLE);
      second.send(WHOLE);
      eventually("both are answered", () -> serving.server.requestsUnderWay() == 2);
      try (RawConnection further = connect(serving)) {
        assertThat(further.toEnd()).isEmpty();
      }
      held.release();
      for (RawConnection client : List.of(first, second)) {
        assertThat(new String(client.take(15), StandardCharsets.US_ASCII))
            .isEqualTo("HTTP/1.1 200 OK");
      }
    }
  }

  @Test
  void a_client_that_takes_too_few_bytes_is_disconnected() throws Exception {
    try (Serving serving =
            serving(limits -> limits.withStallTimeout(SOON).withLeastSpeed(1 << 30));
        RawConnection slow = connect(serving)) {
      serving.put(StoreKey.of("large"), 16 << 20);
      assertThat(slow.get("/large")).startsWith("HTTP/1.1 200 ");
      eventually(
          "it is disconnected",
          () -> {
            try {
              slow.read(100);
            } catch (IOException reset) {
              return true;
            }
            return serving.server.requestsUnderWay() == 0;
          });
      eventually("nothing is held", () -> serving.server.heldBytes() == 0);
    }
  }

  /** The connection that stalls meanwhile shows that the stall timeout is over. */
  @Test
  void a_slow_store_makes_no_slow_client() throws IOException {
    try (Serving serving =
            serving(limits -> limits.withStallTimeout(SOON).withLeastSpeed(1 << 30));
        RawConnection client = connect(serving)) {
      int size = 4 * Serving.MOST;
      serving.put(StoreKey.of("large"), size);
      assertServed(client);
      for (int i = 0; i < 3; i++) {
        HeldRequests held = serving.store.hold(any -> true);
        client.ask("/large");
        eventually("the store is asked", () -> serving.store.counts().inFlight() > 0);
        try (RawConnection stalls = connect(serving)) {
          stalls.send(WHOLE); // held, too
          held.release();
        }
        String head = "";
        while (!head.endsWith("\r\n\r\n")) {
          head += new String(client.take(1), StandardCharsets.US_ASCII);
        }
        assertThat(client.take(size)).hasSize(size);
      }
    }
  }

  /** Frames of HTTP/2 that ask for nothing. */
  enum Flood {
    PING(0x6, 0, 0, new byte[8]),
    PING_ACK(0x6, 1, 0, new byte[8]),
    SETTINGS(0x4, 0, 0, new byte[0]),
    SETTINGS_ACK(0x4, 1, 0, new byte[0]),
    GOAWAY(0x7, 0, 0, new byte[8]),
    PRIORITY(0x2, 0, 3, new byte[5]),
    WINDOW_UPDATE(0x8, 0, 0, new byte[] {0, 0, 0, 1}),
    UNKNOWN(0x77, 0, 0, new byte[1]);

    private final byte[] frame;

    Flood(int type, int flags, int stream, byte[] payload) {
      this.frame = frame(type, flags, stream, payload);
    }
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    byte[] frame = new byte[9 + payload.length];
    frame[1] = (byte) (payload.length >> 8);
    frame[2] = (byte) payload.length;
    frame[3] = (byte) type;
    frame[4] = (byte) flags;
    frame[8] = (byte) stream;
    System.arraycopy(payload, 0, frame, 9, payload.length);
    return frame;
  }

  private static byte[] preface(byte[] settings) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(ascii("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"));
    bytes.writeBytes(frame(0x4, 0, 0, settings));
    return bytes.toByteArray();
  }

  /** Returns true for a GOAWAY frame with ENHANCE_YOUR_CALM among these frames. */
  private static boolean isTooMuch(byte[] frames) {
    for (int at = 0; at + 9 <= frames.length; ) {
      int length =
          (frames[at] & 0xff) << 16 | (frames[at + 1] & 0xff) << 8 | (frames[at + 2] & 0xff);
      if (frames[at + 3] == 0x7 && frames[at + 9 + 7] == 0xb) {
        return true;
      }
      at += 9 + length;
    }
    return false;
  }

  @ParameterizedTest
  @EnumSource
  void a_flood_of_frames_that_ask_for_nothing_ends_its_connection(Flood flood) throws IOException {
    try (Serving serving = serving(limits -> limits);
        RawConnection client = connect(serving)) {
      client.send(preface(new byte[0]));
      ByteArrayOutputStream answers = new ByteArrayOutputStream();
      answers.writeBytes(client.take(9)); // the settings of the server have begun
      ByteArrayOutputStream frames = new ByteArrayOutputStream();
      for (int i = 0; i < FrameLimit.MOST + 10; i++) {
        frames.writeBytes(flood.frame);
      }
      client.send(frames.toByteArray());
      byte[] rest = client.toEnd();
      answers.writeBytes(rest);
      eventually("it is closed", () -> serving.server.connections() == 0);
      if (rest.length > 0) { // a reset may overtake them
        assertThat(isTooMuch(answers.toByteArray())).isTrue();
      }
    }
  }

  @Test
  void a_connection_of_http2_without_a_stream_is_closed_though_it_sends_frames()
      throws IOException {
    try (Serving serving = serving(limits -> limits.withIdleTimeout(SOON).withHeadTimeout(SOON));
        RawConnection client = connect(serving)) {
      client.send(preface(new byte[0]));
      eventually(
          "it is closed",
          () -> {
            try {
              client.send(Flood.PING.frame);
            } catch (IOException closed) {
              return true;
            }
            return serving.server.connections() == 0;
          });
    }
  }

  /** Returns the head of a request of HTTP/2. */
  private static byte[] request() {
    // :method GET, :scheme http, :path /a/c/0, :authority x
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    head.writeBytes(new byte[] {(byte) 0x82, (byte) 0x86, 0x04, 6});
    head.writeBytes(ascii("/a/c/0"));
    head.writeBytes(new byte[] {0x01, 1, 'x'});
    return frame(0x1, 0x5, 1, head.toByteArray());
  }

  /** The connections that are closed meanwhile show that the time of the first wait is over. */
  @Test
  void a_connection_of_http2_without_a_further_request_is_closed() throws IOException {
    try (Serving serving = serving(limits -> limits.withIdleTimeout(SOON));
        RawConnection client = connect(serving)) {
      HeldRequests held = serving.store.hold(any -> true);
      client.send(preface(new byte[0]));
      client.send(request());
      eventually("the store is asked", () -> serving.store.counts().inFlight() > 0);
      for (int i = 0; i < 3; i++) {
        try (RawConnection silent = connect(serving)) {
          silent.toEnd();
        }
      }
      held.release();
      eventually("it is answered", () -> serving.server.requestsUnderWay() == 0);
      client.toEnd();
      eventually("it is forgotten", () -> serving.server.connections() == 0);
    }
  }

  @Test
  void a_client_of_http2_that_opens_no_window_is_disconnected() throws IOException {
    try (Serving serving = serving(limits -> limits.withStallTimeout(SOON));
        RawConnection client = connect(serving)) {
      client.send(preface(new byte[] {0, 4, 0, 0, 0, 0})); // an initial window of 0 bytes
      client.send(request());
      eventually("it is asked", () -> serving.store.counts().total() > 0);
      client.toEnd();
      eventually("nothing is held", () -> serving.server.heldBytes() == 0);
      eventually("it is forgotten", () -> serving.server.connections() == 0);
    }
  }

  @Test
  void a_busy_client_of_http2_is_served() throws Exception {
    try (Serving serving = serving(limits -> limits)) {
      int size = 3 << 20;
      serving.put(StoreKey.of("large"), size);
      HttpClient client = HttpClient.newHttpClient();
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(serving.server.uri() + "/large"))
              .version(HttpClient.Version.HTTP_2)
              .build();
      for (int i = 0; i < 20; i++) {
        HttpResponse<byte[]> answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
        assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
        assertThat(answer.body()).hasSize(size);
      }
      assertThat(serving.server.connections()).isOne();
    }
  }
}
