package dev.zarrreactive.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.ExpiringCredential;
import dev.zarrreactive.store.memory.MemoryStore;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.ConfigurableApplicationContext;
import reactor.core.publisher.Mono;

/** What client, log, health and meters show of a store in trouble: the rows of a table. */
class StoreTroubleTest {
  private static final Path PAGE = Path.of("../../docs/webflux.md");
  private static final int LARGE = 8 << 20;

  /** What the store does to requests for chunks, and to those of the health. */
  private enum Trouble {
    SLOW("is slow: two seconds for a request"),
    BUSY("refuses twice, and then answers"),
    REFUSING("refuses each request with 503"),
    STALLING("accepts requests and stays silent"),
    DEAD("is gone: no connection"),
    DYING("dies in the middle of a response"),
    RENEWED("refuses a credential that the source renews"),
    EXPIRED("refuses every credential");

    private final String words;

    Trouble(String words) {
      this.words = words;
    }
  }

  private final MemoryStore values = MemoryStore.create();
  private final CountDownLatch silence = new CountDownLatch(1);
  private final AtomicInteger refusals = new AtomicInteger();
  private volatile int lastRefused;
  private final AtomicInteger lookUps = new AtomicInteger();
  private final List<LogRecord> logged = new CopyOnWriteArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private volatile @Nullable Trouble trouble; // null while the store is well
  private HttpServer server;

  private final Handler log =
      new Handler() {
        @Override
        public void publish(LogRecord message) {
          if (message.getLevel().intValue() >= Level.WARNING.intValue()) {
            logged.add(message);
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void start() throws IOException {
    var hierarchy = Zarr.hierarchy(values);
    hierarchy.createGroup("").block();
    for (String name : new String[] {"a", "large"}) {
      int size = name.equals("a") ? 1000 : LARGE;
      ArrayMetadata metadata =
          ArrayMetadata.v3(Shape.of(size), DataTypes.UINT8)
              .chunkShape(Math.min(size, 1 << 20))
              .compressors()
              .build();
      hierarchy
          .createArray(name, metadata)
          .flatMap(array -> array.write(Selection.all(), 7))
          .block();
    }
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    Logger.getLogger("").removeHandler(log);
    silence.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  private void answer(HttpExchange asked) throws IOException {
    String key = asked.getRequestURI().getPath().substring(1);
    Bytes value = values.get(StoreKey.of(key)).block();
    Trouble now = trouble;
    try {
      if (now == Trouble.SLOW) {
        Thread.sleep(2000);
      } else if (now == Trouble.STALLING) {
        silence.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    boolean isGone = now == Trouble.DYING && key.startsWith("large/c") && !key.endsWith("/0");
    if (isGone || now == Trouble.STALLING) {
      asked.close(); // without an answer
      return;
    }
    boolean isRefused =
        now == Trouble.REFUSING || (now == Trouble.BUSY && refusals.incrementAndGet() <= 2);
    boolean isDenied = now == Trouble.EXPIRED || (now == Trouble.RENEWED && !isRenewed(asked));
    int status = isRefused ? 503 : isDenied ? 401 : value == null ? 404 : 200;
    asked.sendResponseHeaders(status, status == 200 ? value.size() : -1);
    if (status == 200) {
      asked.getResponseBody().write(value.toByteArray());
      asked.getResponseBody().close();
    }
  }

  private boolean isRenewed(HttpExchange asked) {
    String key = asked.getRequestHeaders().getFirst("Authorization");
    return key != null && Integer.parseInt(key.replace("Bearer key-", "")) > lastRefused;
  }

  private CredentialSource source() {
    return CredentialSource.of(
        "the vault",
        Mono.fromSupplier(
            () ->
                ExpiringCredential.lasting(Credential.bearer("key-" + lookUps.incrementAndGet()))));
  }

  private ConfigurableApplicationContext service(Trouble trouble) {
    Map<String, Object> properties = new HashMap<>();
    properties.put("zarr.location", "http://127.0.0.1:" + server.getAddress().getPort());
    properties.put("zarr.max-in-flight", "16MB"); // a band of a large array is one chunk
    properties.put("zarr.store.stall-timeout", "3s");
    properties.put("zarr.store.resumes", "0");
    properties.put("zarr.store.retry", trouble == Trouble.BUSY ? "true" : "false");
    properties.put("management.endpoint.health.show-details", "always");
    ConfigurableApplicationContext service =
        SliceService.start(
            properties, context -> context.getBeanFactory().registerSingleton("vault", source()));
    return service;
  }

  @ParameterizedTest
  @EnumSource(Trouble.class)
  void the_page_has_what_is_seen(Trouble each) throws IOException {
    try (var service = service(each)) {
      MeterRegistry meters = service.getBean(MeterRegistry.class);
      lastRefused = Math.max(1, lookUps.get()); // the key that the service has, or its first one
      trouble = each;
      if (each == Trouble.DEAD) {
        server.stop(0);
      }
      Logger.getLogger("").addHandler(log); // the start of a service takes those from before away
      String client = client(service, each == Trouble.DYING ? "large" : "a");
      int lines = logged.size();
      String counted = counted(meters);
      String health = health(service);
      String row =
          "| %s | %s | %s | %s | %s |"
              .formatted(
                  each.words,
                  client,
                  lines == 0 ? "nothing" : lines == 1 ? "a line" : lines + " lines",
                  health,
                  counted);
      assertThat(logged)
          .allSatisfy(line -> assertThat(line.getThrown()).as("a stack trace").isNull())
          .allSatisfy(line -> assertThat(line.getMessage()).doesNotContain("key-"));
      assertThat(Files.readString(PAGE)).contains(row);
    }
  }

  /** Reads a slice on a socket of its own, and says what came. */
  private static String client(ConfigurableApplicationContext service, String name)
      throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), SliceService.port(service))) {
      socket
          .getOutputStream()
          .write(
              ("GET /arrays/%s?select=... HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
                      + "Accept: application/octet-stream\r\n\r\n")
                  .formatted(name)
                  .getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      byte[] all;
      try {
        all = in.readAllBytes();
      } catch (IOException reset) {
        return "200, and the connection closes before the end";
      }
      String text = new String(all, StandardCharsets.ISO_8859_1);
      int body = text.indexOf("\r\n\r\n") + 4;
      String status = text.substring(9, 12);
      Matcher length = Pattern.compile("(?i)content-length: (\\d+)").matcher(text);
      boolean isWhole = length.find() && all.length - body == Integer.parseInt(length.group(1));
      return !isWhole
          ? status + ", and the connection closes before the end"
          : text.substring(0, body).toLowerCase(java.util.Locale.ROOT).contains("retry-after")
              ? status + " with `Retry-After`"
              : status.equals("200") ? "200 with all" : status;
    }
  }

  private static String health(ConfigurableApplicationContext service) {
    String body =
        Objects.requireNonNull(
            SliceService.client(service)
                .get()
                .uri("/actuator/health/zarr")
                .exchange()
                .expectBody(String.class)
                .returnResult()
                .getResponseBody());
    Matcher status = Pattern.compile("\"status\":\"(\\w+)\"").matcher(body);
    assertThat(status.find()).isTrue();
    Matcher error = Pattern.compile("\"error\":\"([^\"]*)\"").matcher(body);
    return "`" + status.group(1) + "`" + (error.find() ? ": " + error.group(1) : "");
  }

  /** Returns what the requests for values have come to, and whether some were repeated. */
  private static String counted(MeterRegistry meters) {
    boolean hasFailed =
        meters.find("zarr.store.requests").tag("outcome", "failed").timers().stream()
            .anyMatch(requests -> requests.count() > 0);
    boolean isRetried = !meters.find("zarr.store.retries").counters().isEmpty();
    return (hasFailed ? "`outcome` = `failed`" : "`outcome` = `completed`")
        + (isRetried ? "; `zarr.store.retries`" : "");
  }
}
