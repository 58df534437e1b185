package dev.zarrreactive.gcs;

import dev.zarrreactive.testing.InstalledServer;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/**
 * A fake-gcs-server of the test's own, where there is one on this machine: {@code go install
 * github.com/fsouza/fake-gcs-server@latest}, or {@code -Dzarr.fake-gcs-server=PATH}.
 *
 * <p>It speaks the JSON API, and of the XML API reads and listings. So a small server stands before
 * it, which passes those on, and makes JSON requests of the XML ones for writes, with their
 * conditions. It checks itself the condition of an erasure, which the emulator ignores.
 */
public final class FakeGcsServer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final AtomicInteger BUCKETS = new AtomicInteger();
  private static final Pattern GENERATION = Pattern.compile("\"generation\": *\"(\\d+)\"");

  /** The emulator takes no multipart uploads of the XML API, and lists objects in their place. */
  private static final byte[] NO_UPLOADS =
      "<ListMultipartUploadsResult><IsTruncated>false</IsTruncated></ListMultipartUploadsResult>"
          .getBytes(StandardCharsets.UTF_8);

  private static final Pattern ETAG = Pattern.compile("\"etag\": *\"([^\"]*)\"");

  private final InstalledServer program;
  private final URI emulator;
  private final DisposableServer front;
  private final HttpClient client = HttpClient.create().compress(false);
  private final java.net.http.HttpClient json = java.net.http.HttpClient.newHttpClient();

  private FakeGcsServer(InstalledServer program) {
    this.program = program;
    this.emulator = URI.create("http://127.0.0.1:" + program.port());
    this.front =
        HttpServer.create()
            .host("127.0.0.1")
            .port(0)
            .httpRequestDecoder(spec -> spec.maxInitialLineLength(64 << 10))
            .handle(this::handle)
            .bindNow(PATIENCE);
  }

  /** Starts one; the test is skipped where there is none. */
  public static FakeGcsServer start() {
    Path program =
        InstalledServer.program(
            System.getProperty("zarr.fake-gcs-server", "fake-gcs-server"),
            System.getProperty("user.home") + "/go/bin");
    return new FakeGcsServer(
        InstalledServer.start(
            1,
            ports ->
                List.of(
                    program.toString(),
                    "-scheme=http",
                    "-host=127.0.0.1",
                    "-port=" + ports.get(0),
                    "-backend=memory",
                    "-log-level=error",
                    "-public-host=127.0.0.1:" + ports.get(0),
                    "-external-url=http://127.0.0.1:" + ports.get(0))));
  }

  /** The emulator itself, for other programs. */
  public URI emulator() {
    return emulator;
  }

  /** The server before it, which speaks the XML API. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + front.port());
  }

  /** A new bucket, which nobody else uses. */
  public String newBucket() {
    String bucket = "fake-" + BUCKETS.incrementAndGet();
    json("/storage/v1/b", ("{\"name\":\"" + bucket + "\"}").getBytes(StandardCharsets.UTF_8));
    return bucket;
  }

  /** Puts an object into a bucket, by the JSON API. */
  public void put(String bucket, String object, byte[] value) {
    json(upload(bucket, object, "media", ""), value);
  }

  private void json(String path, byte[] body) {
    try {
      HttpResponse<String> answer =
          json.send(
              HttpRequest.newBuilder(URI.create(emulator + path))
                  .header("content-type", "application/json")
                  .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new IllegalStateException(path + " answered " + answer.statusCode());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String upload(String bucket, String object, String type, String more) {
    return "/upload/storage/v1/b/"
        + bucket
        + "/o?uploadType="
        + type
        + "&name="
        + URLEncoder.encode(object, StandardCharsets.UTF_8)
        + more;
  }

  private Publisher<Void> handle(HttpServerRequest request, HttpServerResponse response) {
    return request
        .receive()
        .aggregate()
        .asByteArray()
        .defaultIfEmpty(new byte[0])
        .flatMap(body -> passOn(request, body))
        .flatMap(answer -> send(answer, request, response));
  }

  private record Answer(int status, HttpHeaders headers, byte[] body) {}

  private Mono<Answer> passOn(HttpServerRequest request, byte[] body) {
    String uri = request.uri();
    HttpMethod method = request.method();
    boolean isSession = uri.contains("upload_id=");
    String path = uri.contains("?") ? uri.substring(0, uri.indexOf('?')) : uri;
    int slash = path.indexOf('/', 1);
    String condition = request.requestHeaders().get("x-goog-if-generation-match");
    String wanted = condition == null ? "" : "&ifGenerationMatch=" + condition;
    if (slash < 0 && uri.endsWith("?uploads")) {
      return Mono.just(new Answer(200, new DefaultHttpHeaders(), NO_UPLOADS));
    }
    if (slash < 0 || isSession) {
      return ask(method, uri, request, body);
    }
    String bucket = path.substring(1, slash);
    String object =
        URLDecoder.decode(path.substring(slash + 1).replace("+", "%2B"), StandardCharsets.UTF_8);
    if (method.equals(HttpMethod.PUT)) {
      return ask(HttpMethod.POST, upload(bucket, object, "media", wanted), request, body);
    }
    if (method.equals(HttpMethod.POST)) {
      return ask(HttpMethod.POST, upload(bucket, object, "resumable", wanted), request, body);
    }
    if (method.equals(HttpMethod.DELETE) && condition != null) {
      return ask(HttpMethod.HEAD, uri, request, body)
          .flatMap(
              now ->
                  now.status() == 200 && !condition.equals(now.headers().get("x-goog-generation"))
                      ? Mono.just(new Answer(412, now.headers(), new byte[0]))
                      : ask(method, uri, request, body));
    }
    return ask(method, uri, request, body);
  }

  private Mono<Answer> ask(HttpMethod method, String path, HttpServerRequest request, byte[] body) {
    return client
        .headers(
            all -> {
              request.requestHeaders().entries().stream()
                  .filter(each -> !each.getKey().equalsIgnoreCase("host"))
                  .filter(each -> !each.getKey().equalsIgnoreCase("content-length"))
                  .forEach(each -> all.set(each.getKey(), each.getValue()));
              all.set(HttpHeaderNames.CONTENT_LENGTH, body.length);
            })
        .request(method)
        .uri(emulator + path)
        .send(Mono.fromSupplier(() -> Unpooled.wrappedBuffer(body)))
        .responseSingle(
            (answer, content) ->
                content
                    .asByteArray()
                    .defaultIfEmpty(new byte[0])
                    .map(
                        bytes ->
                            new Answer(
                                answer.status().code(), answer.responseHeaders().copy(), bytes)));
  }

  /** Answers with the headers of the XML API in place of a description in JSON. */
  private Mono<Void> send(Answer answer, HttpServerRequest request, HttpServerResponse response) {
    response.status(answer.status());
    answer.headers().entries().stream()
        .filter(each -> !each.getKey().equalsIgnoreCase("transfer-encoding"))
        .filter(each -> !each.getKey().equalsIgnoreCase("connection"))
        .forEach(each -> response.header(each.getKey(), each.getValue()));
    String location = answer.headers().get("location");
    if (location != null) {
      response.header("location", location.replace(emulator.toString(), uri().toString()));
    }
    String described = new String(answer.body(), StandardCharsets.UTF_8);
    if (!request.method().equals(HttpMethod.GET) && answer.status() < 300) {
      Matcher generation = GENERATION.matcher(described);
      Matcher etag = ETAG.matcher(described);
      if (generation.find() && etag.find()) {
        response.header("x-goog-generation", generation.group(1));
        response.header("etag", "\"" + etag.group(1) + "\"");
      }
    }
    return request.method().equals(HttpMethod.HEAD)
        ? response.send().then()
        : response.send(Mono.fromSupplier(() -> Unpooled.wrappedBuffer(answer.body()))).then();
  }

  @Override
  public void close() {
    front.disposeNow(PATIENCE);
    program.close();
  }
}
