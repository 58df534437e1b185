package dev.zarrreactive.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.virtual.VirtualContainers;
import dev.zarrreactive.virtual.VirtualLocation;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Stores whose options name a source. */
class NamedCredentialsTest {
  private static final StoreKey KEY = StoreKey.of("a/c/0");

  @TempDir Path home;
  private final MemoryStore values = MemoryStore.create();
  private final FaultyServer server = FaultyServer.of(values);
  private final Map<String, String> variables = new HashMap<>();

  @BeforeEach
  void start() {
    values.set(KEY, Bytes.utf8("value")).block();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static StoreOptions options(String... namesAndValues) {
    StoreOptions options = StoreOptions.none().with("retry", "false");
    for (int i = 0; i < namesAndValues.length; i += 2) {
      options = options.with(namesAndValues[i], namesAndValues[i + 1]);
    }
    return options;
  }

  private static <T> T await(Mono<T> mono) {
    return mono.subscribeOn(Schedulers.parallel()).block(Duration.ofSeconds(60));
  }

  private Store open(String... namesAndValues) {
    return await(Stores.open(server.uri().toString(), options(namesAndValues)));
  }

  private void accept(String authorization) {
    server.misbehave(
        Fault.status(401, null)
            .where(asked -> !authorization.equals(asked.header("authorization"))));
  }

  @Test
  void a_file_that_is_replaced_is_read_again_after_a_refusal() throws IOException {
    Path token = Files.writeString(home.resolve("token"), "one\n");
    Store store = open("credentials", "file", "credentials.path", token.toString());
    accept("Bearer one");
    assertThat(await(store.get(KEY))).isEqualTo(Bytes.utf8("value"));
    Files.writeString(token, "two\n");
    accept("Bearer two");
    assertThat(await(store.get(KEY))).isEqualTo(Bytes.utf8("value"));
    assertThat(server.requests())
        .extracting(asked -> asked.header("authorization"))
        .containsExactly("Bearer one", "Bearer one", "Bearer two");
    await(store.close());
  }

  @Test
  void a_file_is_read_again_when_its_time_has_come() throws IOException {
    Path token = Files.writeString(home.resolve("token"), "one\n");
    Store store =
        open(
            "credentials",
            "file",
            "credentials.path",
            token.toString(),
            "credentials.refresh",
            "PT0.001S");
    await(store.get(KEY));
    Files.writeString(token, "two\n");
    await(
        Mono.defer(() -> store.get(KEY))
            .delaySubscription(Duration.ofMillis(20))
            .repeat(
                () ->
                    server.requests().stream()
                        .noneMatch(asked -> "Bearer two".equals(asked.header("authorization"))))
            .then());
    await(store.close());
  }

  @Test
  void a_header_and_a_query_and_keys_are_read_from_a_file_too() throws IOException {
    Path file = Files.writeString(home.resolve("secret"), "sv=1&sig=x");
    await(
        open("credentials", "file", "credentials.path", "" + file, "credentials.as", "X-Api-Key")
            .get(KEY));
    await(
        open("credentials", "file", "credentials.path", "" + file, "credentials.as", "query")
            .get(KEY));
    assertThat(server.requests().get(0).header("x-api-key")).isEqualTo("sv=1&sig=x");
    assertThat(server.requests().get(1).uri()).isEqualTo("/a/c/0?sv=1&sig=x");
    Files.writeString(file, "{\"Version\":1,\"AccessKeyId\":\"A\",\"SecretAccessKey\":\"s3cret\"}");
    assertThat(
            catchThrowable(
                () ->
                    await(
                        open(
                                "credentials",
                                "file",
                                "credentials.path",
                                "" + file,
                                "credentials.as",
                                "aws")
                            .get(KEY))))
        .hasMessageContaining("was given keys of AWS")
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void a_file_that_is_missing_is_named_in_the_error() {
    Store store = open("credentials", "file", "credentials.path", home.resolve("none").toString());
    assertThat(catchThrowable(() -> await(store.get(KEY))))
        .hasMessageContaining("no credential from the file")
        .hasMessageContaining("is missing or empty")
        .hasMessageContaining(KEY.value());
  }

  private Path ofTheUser(String name, String text) throws IOException {
    Path file = Files.writeString(home.resolve(name), text);
    if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
    return file;
  }

  @Test
  void netrc_gives_a_password_for_the_host_of_the_url() throws IOException {
    Path file = ofTheUser("n", "machine 127.0.0.1 login me password pw");
    accept("Basic bWU6cHc=");
    Store store = open("credentials", "netrc", "credentials.path", file.toString());
    assertThat(await(store.get(KEY))).isEqualTo(Bytes.utf8("value"));
    accept("another");
    assertThat(catchThrowable(() -> await(store.get(KEY))))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("the credential of .netrc")
        .hasMessageContaining("machine 127.0.0.1 login NAME");
  }

  @Test
  void hugging_face_resolves_a_url_and_sends_the_token_to_its_hub() throws IOException {
    values.set(StoreKey.of("datasets/me/earth/resolve/v1/x/a/c/0"), Bytes.utf8("there")).block();
    variables.put("HF_ENDPOINT", server.uri().toString());
    Files.writeString(home.resolve("token"), "hf_t0ken");
    Surroundings around = new Surroundings(variables::get, home.toString());
    StoreOptions hub =
        options("credentials", "file", "credentials.path", home.resolve("token").toString());
    Store store =
        await(new HuggingFaceProvider(around).open(URI.create("hf://datasets/me/earth@v1/x"), hub));
    assertThat(await(store.get(KEY))).isEqualTo(Bytes.utf8("there"));
    assertThat(server.requests().get(0).header("authorization")).isEqualTo("Bearer hf_t0ken");
    await(store.close());
  }

  @Test
  void hugging_face_takes_the_variable_or_the_file_of_its_log_in_or_nothing() throws IOException {
    HuggingFaceSource source =
        new HuggingFaceSource(new Surroundings(variables::get, home.toString()));
    assertThat(await(source.credential()).credential()).isEqualTo(Credential.anonymous());
    Files.createDirectories(home.resolve(".cache/huggingface"));
    Files.writeString(home.resolve(".cache/huggingface/token"), "hf_file\n");
    assertThat(await(source.credential()).credential()).isEqualTo(Credential.bearer("hf_file"));
    variables.put("HF_TOKEN", "hf_variable");
    assertThat(await(source.credential()).credential()).isEqualTo(Credential.bearer("hf_variable"));
  }

  @Test
  void the_token_of_hugging_face_goes_to_no_other_host() {
    assertThat(catchThrowable(() -> open("credentials", "hugging-face")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("huggingface.co");
  }

  @Test
  void a_container_of_references_has_a_source_of_its_own() throws IOException {
    Path token = Files.writeString(home.resolve("token"), "one");
    accept("Bearer one");
    VirtualContainers containers =
        VirtualContainers.of(
            options("virtual:" + server.uri() + "/a/", "credentials=file;credentials.path=" + token)
                .without("retry"));
    var resolved =
        await(
            containers.resolve(
                new VirtualLocation(server.uri() + "/a/c/0", 0, VirtualLocation.WHOLE, null)));
    assertThat(await(resolved.object().store().get(resolved.object().key())))
        .isEqualTo(Bytes.utf8("value"));
    await(containers.close());
  }

  @Test
  void unknown_names_and_settings_are_refused_with_those_that_are_known() {
    assertThat(catchThrowable(() -> open("credentials", "vault")))
        .hasMessageContaining("earthdata, environment, file, hugging-face, netrc");
    assertThat(catchThrowable(() -> open("credentials", "file")))
        .hasMessageContaining("need the setting credentials.path");
    assertThat(catchThrowable(() -> open("credentials", "netrc", "credentials.token", "s3cret")))
        .hasMessageContaining("credentials.token; the settings are [path]")
        .hasMessageNotContaining("s3cret");
    assertThat(catchThrowable(() -> open("credentials", "anonymous", "bearer-token", "s3cret")))
        .hasMessageContaining("excludes credentials")
        .hasMessageNotContaining("s3cret");
    for (String endpoint :
        new String[] {"s3cret", "ftp://x", "https://a:s3cret@b/", "https://a b"}) {
      assertThat(
              catchThrowable(
                  () -> open("credentials", "earthdata", "credentials.endpoint", endpoint)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("credentials.endpoint is a URL")
          .hasMessageNotContaining("s3cret");
    }
  }

  @Test
  void an_anonymous_source_sends_nothing() {
    await(open("credentials", "anonymous").get(KEY));
    assertThat(server.requests()).extracting(ReceivedRequest::uri).containsExactly("/a/c/0");
    assertThat(server.requests().get(0).header("authorization")).isNull();
  }
}
