package dev.zarrreactive.s3;

import static dev.zarrreactive.s3.AnsweringS3.VALUE;
import static dev.zarrreactive.s3.OneValue.KEY;
import static dev.zarrreactive.s3.OneValue.eventually;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.faults.server.ServerResponse;
import dev.zarrreactive.internal.s3.http.Interceptors;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;

/** The first read needs no client of the SDK where its address follows from the endpoint. */
@ExtendWith(NoLeaks.class)
class S3FirstReadTest {
  private final AnsweringS3 s3 = new AnsweringS3(asked -> VALUE);

  @AfterEach
  void close() {
    s3.close();
  }

  private S3StoreBuilder signed() {
    return s3.bucket().credentials("key", "secret");
  }

  private void readsWithClients(S3Store store, int clients) {
    for (int i = 0; i < 3; i++) {
      assertThat(await(store.get(KEY))).isEqualTo(VALUE.body());
    }
    assertThat(s3.sdkClients).hasValue(clients);
    await(store.close());
    assertThat(errorOf(store.get(KEY))).hasMessageContaining("was closed");
  }

  @Test
  void a_read_makes_no_client_of_the_sdk() {
    readsWithClients(signed().open(), 0);
    readsWithClients(signed().region("auto").open(), 0);
    readsWithClients(s3.bucket().credentials("key", "secret", "token").open(), 0);
    readsWithClients(s3.bucket().anonymous().open(), 0);
    assertThat(s3.server.requests()).noneMatch(AnsweringS3::isOfTheSdk);
  }

  @Test
  void an_address_that_only_the_sdk_knows_makes_one() {
    readsWithClients(signed().endpoint(s3.server.uri().resolve("/base")).open(), 1);
    readsWithClients(signed().region("aws-global").open(), 2);
    assertThat(s3.server.requests()).noneMatch(AnsweringS3::isOfTheSdk);
    readsWithClients(s3.bucket().credentials(AnonymousCredentialsProvider.create()).open(), 3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"aws.useFipsEndpoint", "aws.useDualstackEndpoint"})
  void the_sdk_judges_an_endpoint_where_the_environment_names_another_kind(String property) {
    S3Store store = signed().open();
    System.setProperty(property, "true");
    try {
      assertThat(errorOf(store.get(KEY)))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("custom endpoint");
      assertThat(s3.server.requests()).isEmpty();
    } finally {
      System.clearProperty(property);
    }
    await(store.close());
  }

  static Stream<Function<S3Store, Mono<?>>> the_first_other_request_makes_one() {
    return Stream.of(
        store -> store.set(KEY, VALUE.body()),
        store -> store.erase(KEY),
        store -> store.get(KEY, new ByteRange.Slice(0, 0)),
        store -> store.list().then().onErrorComplete());
  }

  @ParameterizedTest
  @MethodSource
  void the_first_other_request_makes_one(Function<S3Store, Mono<?>> request) {
    S3Store store = signed().open();
    await(store.get(KEY));
    await(request.apply(store));
    await(request.apply(store));
    assertThat(s3.server.requests()).hasSize(3);
    assertThat(s3.server.requests().subList(1, 3)).allMatch(AnsweringS3::isOfTheSdk);
    readsWithClients(store, 1);
  }

  @Test
  void a_read_is_the_request_that_the_sdk_sends() {
    for (boolean anonymous : List.of(false, true)) {
      S3StoreBuilder settings =
          anonymous ? s3.bucket().anonymous() : s3.bucket().credentials("key", "secret", "token");
      Map<String, String> direct = headersOfRead(settings.open());
      Map<String, String> bySdk =
          headersOfRead(settings.with(client -> client.readsBySdk = true).open());
      assertThat(direct).isEqualTo(bySdk).containsKey("range");
    }
  }

  private Map<String, String> headersOfRead(S3Store store) {
    s3.answers =
        asked -> ServerResponse.of(206, Bytes.utf8("v")).with("content-range", "bytes 2-2/5");
    s3.server.forget();
    assertThat(await(store.get(KEY, new ByteRange.Slice(2, 1)))).isEqualTo(Bytes.utf8("v"));
    await(store.close());
    ReceivedRequest asked = s3.server.requests().get(0);
    assertThat(asked.uri()).isEqualTo("/bucket/" + KEY.value());
    Map<String, String> headers = new TreeMap<>(asked.headers());
    headers.computeIfPresent("x-amz-date", (name, time) -> time.substring(0, 8));
    headers.computeIfPresent(
        "authorization",
        (name, text) -> text.replaceAll(" |amz-sdk-[^;]*;|Signature=.*|/20\\d{6}/", ""));
    headers
        .keySet()
        .removeAll(List.of("accept", "amz-sdk-invocation-id", "amz-sdk-request", "user-agent"));
    return headers;
  }

  @Test
  void an_interceptor_on_the_class_path_is_found(@TempDir Path directory) throws IOException {
    for (String list :
        List.of(
            "software/amazon/awssdk/global/handlers/execution.interceptors",
            "software/amazon/awssdk/services/s3/execution.interceptors")) {
      Path jar = Files.createDirectory(directory.resolve(list.substring(0, 28).replace('/', '-')));
      try (URLClassLoader loader =
          new URLClassLoader(new URL[] {jar.toUri().toURL()}, S3Store.class.getClassLoader())) {
        assertThat(Interceptors.areIn(loader)).isFalse();
        Path file = jar.resolve(list);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "example.Traces\n");
        assertThat(Interceptors.areIn(loader)).isTrue();
      }
    }
    assertThat(Interceptors.areThere()).isFalse();
    ClientSettings settings = new ClientSettings();
    settings.endpoint = URI.create("http://s3.example");
    assertThat(settings.isPlain()).isTrue();
    settings.pathStyle = false;
    assertThat(settings.isPlain()).isFalse();
  }

  @Test
  void a_first_read_that_is_cancelled_leaves_the_second_one_its_way() {
    SlowCredentials slow = new SlowCredentials();
    S3Store store = s3.bucket().credentials(slow).open();
    Disposable first = store.get(KEY).subscribe();
    eventually(() -> slow.asked.get() == 1);
    first.dispose();
    slow.found.complete(AwsBasicCredentials.create("key", "secret"));
    assertThat(await(store.get(KEY))).isEqualTo(VALUE.body());
    assertThat(s3.server.requests()).hasSize(1);
    assertThat(s3.sdkClients).hasValue(0);
    await(store.close());
  }

  @Test
  void a_store_that_is_closed_before_its_first_read_has_its_credentials_sends_nothing() {
    SlowCredentials slow = new SlowCredentials();
    S3Store store = s3.bucket().credentials(slow).open();
    CompletableFuture<Throwable> error = new CompletableFuture<>();
    store.get(KEY).subscribe(value -> {}, error::complete);
    eventually(() -> slow.asked.get() == 1);
    await(store.close());
    slow.found.complete(AwsBasicCredentials.create("key", "secret"));
    assertThat(error.join()).hasMessageContaining("was closed");
    assertThat(s3.server.requests()).isEmpty();
  }

  /** Credentials that are there when the test says so. */
  private static final class SlowCredentials implements AwsCredentialsProvider {
    final AtomicInteger asked = new AtomicInteger();
    final CompletableFuture<AwsCredentials> found = new CompletableFuture<>();

    @Override
    public AwsCredentials resolveCredentials() {
      asked.incrementAndGet();
      return found.join();
    }
  }
}
