package dev.zarrreactive.http;

import static dev.zarrreactive.http.Served.KEY;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.KeptPort;
import dev.zarrreactive.store.memory.MemoryStore;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Through a proxy that connects, over HTTP. */
@ExtendWith(NoLeaks.class)
class HttpProxyTest {
  private final MemoryStore values = MemoryStore.create();
  private final FaultyServer server = FaultyServer.of(values);
  private final Bytes value = Bytes.utf8("value");
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private ServerSocket proxy;

  @BeforeEach
  void start() throws IOException {
    values.set(KEY, value).block();
    proxy = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    inBackground(
        () -> {
          while (true) {
            Socket client = proxy.accept();
            inBackground(() -> connect(client));
          }
        });
  }

  @AfterEach
  void stop() throws IOException {
    proxy.close();
    server.close();
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void inBackground(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                // one side has closed
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  /** Reads the head of a CONNECT, and then passes all bytes, for any host. */
  private void connect(Socket client) throws IOException {
    StringBuilder head = new StringBuilder();
    InputStream in = client.getInputStream();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) in.read());
    }
    asked.add(head.toString());
    boolean allowed = head.indexOf("Basic bWU6YSBi") >= 0; // me and "a b"
    String answer = allowed ? "HTTP/1.1 200 OK\r\n\r\n" : "HTTP/1.1 407 No\r\n\r\n";
    client.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
    if (!allowed) {
      client.close();
      return;
    }
    Socket far = new Socket("127.0.0.1", server.port());
    inBackground(() -> far.getInputStream().transferTo(client.getOutputStream()));
    in.transferTo(far.getOutputStream());
  }

  private HttpStore through(String user) {
    return HttpStore.at(URI.create("http://data.invalid:" + server.port()))
        .proxy(URI.create("http://" + user + "127.0.0.1:" + proxy.getLocalPort()))
        .open();
  }

  @Test
  void the_proxy_connects_and_looks_the_host_up() {
    HttpStore store = through("me:a%20b@");
    assertThat(await(store.get(KEY))).isEqualTo(value);
    assertThat(asked).singleElement().asString().startsWith("CONNECT data.invalid:");
    await(store.close());
  }

  @Test
  void a_proxy_that_refuses_is_an_error_without_the_password() {
    HttpStore store = through("me:s3cret@");
    assertThat(errorOf(store.get(KEY)))
        .isInstanceOf(StoreException.class)
        .isNotInstanceOf(TransientStoreException.class) // the next attempt would be refused, too
        .hasMessageContaining("the proxy refused the user or the password (407)")
        .hasMessageContaining(KEY.value())
        .hasMessageNotContaining("s3cret");
    await(store.close());
  }

  @Test
  void a_proxy_that_does_not_run_is_an_error_that_says_so_and_passes_not() throws IOException {
    HttpStore store = through("me:s3cret@");
    proxy.close();
    try (KeptPort withoutListener = KeptPort.of(proxy.getLocalPort())) {
      assertThat(withoutListener.port()).isEqualTo(proxy.getLocalPort());
      assertThat(errorOf(store.get(KEY)))
          .isInstanceOf(StoreException.class)
          .isNotInstanceOf(TransientStoreException.class)
          .hasMessageContaining("the proxy refused the connection")
          .hasMessageNotContaining("s3cret");
    }
    await(store.close());
  }
}
