package dev.zarrreactive.server;

import static dev.zarrreactive.testing.Waiting.PATIENCE;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonBoolean;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A Chromium of this machine without a window, driven over the socket of its developer tools. */
final class Browser implements AutoCloseable {
  private final Process process;
  private final WebSocket socket;
  private final Answers answers;
  private int calls;

  private Browser(Process process, WebSocket socket, Answers answers) {
    this.process = process;
    this.socket = socket;
    this.answers = answers;
  }

  /** Starts a browser with this profile; the test is skipped where none is installed. */
  static Browser start(Path profile) throws IOException {
    Optional<Path> program = installed();
    assumeTrue(program.isPresent(), "no Chromium is on the PATH, which shows the page");
    Process process =
        new ProcessBuilder(
                program.orElseThrow().toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--hide-scrollbars",
                "--force-color-profile=srgb",
                "--user-data-dir=" + profile,
                "--remote-debugging-port=0",
                "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    Path place = profile.resolve("DevToolsActivePort");
    eventually("the browser listens", () -> !process.isAlive() || lines(place) == 2);
    assumeTrue(process.isAlive(), "the Chromium on the PATH does not run on this machine");
    String[] address = Files.readString(place).split("\n");
    Answers answers = new Answers();
    WebSocket socket =
        HttpClient.newHttpClient()
            .newWebSocketBuilder()
            .buildAsync(URI.create("ws://127.0.0.1:" + address[0] + address[1].strip()), answers)
            .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
            .join();
    return new Browser(process, socket, answers);
  }

  private static Optional<Path> installed() {
    String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
    return Stream.of("chromium", "chromium-browser", "google-chrome")
        .flatMap(
            name -> Stream.of(path.split(File.pathSeparator)).map(place -> Path.of(place, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static long lines(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file).lines().count() : 0;
    } catch (IOException e) {
      return 0;
    }
  }

  /** Opens a tab of 1,100 × 800 pixels. */
  Tab open(String url) {
    JsonObject tab = call("", "Target.createTarget", JsonObject.EMPTY.with("url", "about:blank"));
    String target = tab.string("targetId").orElseThrow();
    JsonObject attached =
        call(
            "",
            "Target.attachToTarget",
            JsonObject.EMPTY.with("targetId", target).with("flatten", true));
    Tab opened = new Tab(target, attached.string("sessionId").orElseThrow());
    opened.resize(1100, 800);
    opened.call("Page.navigate", JsonObject.EMPTY.with("url", url));
    eventually("the page is loaded", opened::isLoaded);
    return opened;
  }

  private JsonObject call(String session, String method, JsonObject parameters) {
    JsonObject got = answer(session, method, parameters);
    assertThat(got.members()).as("%s: %s", method, got).containsKey("result");
    return (JsonObject) Objects.requireNonNull(got.get("result"));
  }

  private JsonObject answer(String session, String method, JsonObject parameters) {
    int id = ++calls;
    JsonObject message =
        JsonObject.EMPTY.with("id", id).with("method", method).with("params", parameters);
    CompletableFuture<JsonObject> answer = answers.to(id);
    socket.sendText(
        (session.isEmpty() ? message : message.with("sessionId", session)).toString(), true);
    return answer.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }

  @Override
  public void close() {
    socket.abort();
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    process.onExit().join();
  }

  /** A tab. */
  final class Tab implements AutoCloseable {
    private final String target;
    private final String session;

    private Tab(String target, String session) {
      this.target = target;
      this.session = session;
    }

    JsonObject call(String method, JsonObject parameters) {
      return Browser.this.call(session, method, parameters);
    }

    void resize(int width, int height) {
      call(
          "Emulation.setDeviceMetricsOverride",
          JsonObject.EMPTY
              .with("width", width)
              .with("height", height)
              .with("deviceScaleFactor", 1)
              .with("mobile", false));
    }

    /** False before the page has taken the place of the empty one, and in between. */
    private boolean isLoaded() {
      JsonObject got =
          answer(
              session,
              "Runtime.evaluate",
              evaluated("document.URL !== 'about:blank' && document.readyState === 'complete'"));
      return got.get("result") instanceof JsonObject result
          && result.get("result") instanceof JsonObject value
          && new JsonBoolean(true).equals(value.get("value"));
    }

    private JsonObject evaluated(String expression) {
      return JsonObject.EMPTY
          .with("expression", expression)
          .with("awaitPromise", true)
          .with("returnByValue", true);
    }

    /** Returns the value of an expression, or of the promise that it returns. */
    JsonValue value(String expression) {
      JsonObject got = call("Runtime.evaluate", evaluated(expression));
      assertThat(got.members()).as("%s: %s", expression, got).doesNotContainKey("exceptionDetails");
      JsonObject result = (JsonObject) Objects.requireNonNull(got.get("result"));
      return Objects.requireNonNullElse(result.get("value"), new JsonString("undefined"));
    }

    String text(String expression) {
      return value("String(" + expression + ")") instanceof JsonString text ? text.value() : "";
    }

    /** Returns the document as it is now. */
    String html() {
      return text("document.documentElement.outerHTML");
    }

    /** Waits until an expression is true. */
    void until(String expression) {
      eventually(
          () -> expression + " in " + html(),
          () -> value("!!(" + expression + ")").equals(new JsonBoolean(true)));
    }

    /** Presses a key on the element that has the focus. */
    void press(String key) {
      String code = key.length() == 1 ? "Key" + key.toUpperCase(Locale.ROOT) : key;
      int number =
          Map.of("Tab", 9, "ArrowLeft", 37, "ArrowUp", 38, "ArrowRight", 39, "ArrowDown", 40)
              .getOrDefault(key, 0);
      JsonObject event =
          JsonObject.EMPTY
              .with("key", key)
              .with("code", code)
              .with("windowsVirtualKeyCode", number);
      call("Input.dispatchKeyEvent", event.with("type", "keyDown"));
      call("Input.dispatchKeyEvent", event.with("type", "keyUp"));
    }

    /** Returns what is seen, as PNG. */
    byte[] screenshot() {
      JsonObject got = call("Page.captureScreenshot", JsonObject.EMPTY.with("format", "png"));
      return Base64.getDecoder().decode(got.string("data").orElseThrow());
    }

    @Override
    public void close() {
      Browser.this.call("", "Target.closeTarget", JsonObject.EMPTY.with("targetId", target));
    }
  }

  /** What the browser answers, by the number of the call. */
  private static final class Answers implements WebSocket.Listener {
    private final Map<Long, CompletableFuture<JsonObject>> pending = new ConcurrentHashMap<>();
    private final StringBuilder text = new StringBuilder();

    CompletableFuture<JsonObject> to(long id) {
      return pending.computeIfAbsent(id, any -> new CompletableFuture<>());
    }

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean isLast) {
      text.append(part);
      if (isLast) {
        ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
        text.setLength(0);
        JsonObject message = JsonDocument.parse(bytes, Location.UNKNOWN).object();
        message.integer("id").ifPresent(id -> to(id).complete(message));
      }
      socket.request(1);
      return CompletableFuture.completedFuture(null);
    }
  }
}
