package dev.zarrreactive.s3;

import static dev.zarrreactive.s3.OneValue.KEY;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.ServerResponse;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.core.exception.SdkClientException;

/** Credentials are looked up on threads that may block, each time. */
@ExtendWith(NoLeaks.class)
class S3CredentialsTest {
  private static final AwsCredentials GOOD =
      AwsBasicCredentials.create(S3ProxyServer.ACCESS_KEY, S3ProxyServer.SECRET_KEY);

  private final OneValue one = new OneValue(1000);

  @AfterEach
  void close() {
    one.close();
    for (String property :
        List.of("aws.accessKeyId", "aws.secretAccessKey", "aws.sharedCredentialsFile")) {
      System.clearProperty(property);
    }
  }

  private S3StoreBuilder settings() {
    return S3Store.at(one.bucket).endpoint(one.server.uri());
  }

  private void works(S3Store store) {
    assertThat(await(store.get(KEY))).isEqualTo(one.value);
    assertThat(await(store.get(KEY))).isEqualTo(one.value);
    await(store.close());
  }

  @Test
  void the_default_provider_blocks_no_event_loop() {
    System.setProperty("aws.accessKeyId", S3ProxyServer.ACCESS_KEY);
    System.setProperty("aws.secretAccessKey", S3ProxyServer.SECRET_KEY);
    works(settings().open());
  }

  @Test
  void a_profile_blocks_no_event_loop(@TempDir Path directory) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("credentials"),
            "[other]\naws_access_key_id = "
                + S3ProxyServer.ACCESS_KEY
                + "\naws_secret_access_key = "
                + S3ProxyServer.SECRET_KEY
                + "\n");
    System.setProperty("aws.sharedCredentialsFile", file.toString());
    works(settings().profile("other").open());
  }

  @Test
  void static_credentials_block_no_event_loop() {
    works(settings().credentials(S3ProxyServer.ACCESS_KEY, S3ProxyServer.SECRET_KEY).open());
  }

  @Test
  void a_provider_that_blocks_is_asked_once_for_all_on_a_thread_of_the_store() {
    List<String> threads = new CopyOnWriteArrayList<>();
    AwsCredentialsProvider sleepy =
        () -> {
          threads.add(Thread.currentThread().getName());
          sleep();
          return GOOD;
        };
    S3Store store = settings().credentials(sleepy).open();
    long got =
        Flux.range(0, 40)
            .flatMap(i -> store.get(KEY).subscribeOn(Schedulers.parallel()), 40)
            .count()
            .block(OneValue.PATIENCE);
    assertThat(got).isEqualTo(40);
    assertThat(threads).hasSize(1).allMatch(name -> name.startsWith("zarr-s3-setup-"));
    await(store.close());
  }

  private static void sleep() {
    try {
      Thread.sleep(100);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void an_error_of_the_provider_is_not_kept() {
    AtomicInteger asked = new AtomicInteger();
    AwsCredentialsProvider flaky =
        () -> {
          if (asked.getAndIncrement() == 0) {
            throw new IllegalStateException("no credentials yet");
          }
          return GOOD;
        };
    S3Store store = settings().credentials(flaky).open();
    assertThat(errorOf(store.get(KEY)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("the provider of the program: no credentials yet");
    Retry afterTheBackOff = Retry.fixedDelay(600, Duration.ofMillis(50));
    assertThat(await(store.get(KEY).retryWhen(afterTheBackOff))).isEqualTo(one.value);
    works(store);
    assertThat(asked).hasValue(2);
  }

  @Test
  void credentials_that_have_expired_or_were_refused_are_looked_up_again() {
    AtomicInteger asked = new AtomicInteger();
    AwsCredentialsProvider shortLived =
        () ->
            AwsSessionCredentials.builder()
                .accessKeyId(S3ProxyServer.ACCESS_KEY)
                .secretAccessKey(S3ProxyServer.SECRET_KEY)
                .sessionToken("token-" + asked.incrementAndGet())
                .expirationTime(
                    asked.get() == 1
                        ? Instant.now().plusMillis(500)
                        : Instant.now().plusSeconds(3600))
                .build();
    S3Store store = settings().credentials(shortLived).open();
    store
        .get(KEY)
        .onErrorComplete()
        .then(Mono.fromSupplier(asked::get))
        .repeatWhen(reads -> reads.delayElements(Duration.ofMillis(50)))
        .takeUntil(lookUps -> lookUps > 1) // the first has expired by now, or was refused
        .blockLast(OneValue.PATIENCE);
    int before = asked.get();
    Bytes expired = Bytes.utf8("<Error><Code>ExpiredToken</Code></Error>");
    Fault refuse = (request, behaviour) -> behaviour.withInstead(ServerResponse.of(400, expired));
    one.server.misbehave(refuse);
    assertThat(errorOf(store.get(KEY))).isInstanceOf(TransientStoreException.class);
    assertThat(asked).hasValue(before + 1);
    await(store.close());
  }

  @Test
  void keys_that_the_server_refuses_are_named_by_their_source() {
    S3Store store = settings().credentials(S3ProxyServer.ACCESS_KEY, "wr0ng").open();
    assertThat(errorOf(store.get(KEY)))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("with the credential of the provider of the program");
    await(store.close());
  }

  @Test
  void a_credential_of_another_kind_is_refused_by_its_kind() {
    S3Store store =
        settings().credentials(CredentialSource.fixed(Credential.bearer("s3cret"))).open();
    assertThat(errorOf(store.get(KEY)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("signs with keys of AWS, and was given headers")
        .hasMessageNotContaining("s3cret");
    await(store.close());
  }

  /** Requests that wait for one look-up name their own keys in its error. */
  @Test
  void each_request_names_its_own_key_in_the_error_of_a_shared_look_up() {
    CountDownLatch hold = new CountDownLatch(1);
    AwsCredentialsProvider none =
        () -> {
          awaited(hold);
          throw SdkClientException.create("Unable to load credentials from any of the providers");
        };
    S3Store store = settings().credentials(none).open();
    List<CompletableFuture<Bytes>> reads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      reads.add(store.get(StoreKey.of("value" + i)).toFuture());
    }
    hold.countDown();
    for (int i = 0; i < 8; i++) {
      assertThat(errorOf(Mono.fromFuture(reads.get(i))))
          .hasMessageContaining("no credential from the provider of the program")
          .hasMessageContaining("AWS_ACCESS_KEY_ID")
          .hasMessageContaining("key value" + i);
    }
    await(store.close());
  }

  private static void awaited(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void without_any_credentials_the_error_is_short_and_names_the_way_to_public_buckets(
      @TempDir Path directory) throws IOException {
    assumeTrue(System.getenv("AWS_ACCESS_KEY_ID") == null, "this machine has credentials");
    Path nothing = Files.createFile(directory.resolve("credentials"));
    System.setProperty("aws.sharedCredentialsFile", nothing.toString());
    System.setProperty("aws.configFile", nothing.toString());
    System.setProperty("aws.disableEc2Metadata", "true");
    try {
      for (S3StoreBuilder builder : List.of(settings(), settings().profile("none-such"))) {
        S3Store store = builder.open();
        assertThat(errorOf(store.get(KEY)))
            .isExactlyInstanceOf(StoreException.class)
            .hasMessageContaining("anonymous")
            .hasMessageNotContaining("Provider")
            .satisfies(error -> assertThat(error.getMessage()).hasSizeLessThan(200));
        await(store.close());
      }
    } finally {
      System.clearProperty("aws.configFile");
      System.clearProperty("aws.disableEc2Metadata");
    }
  }

  @Test
  void without_credentials_and_region_the_bucket_is_looked_for_where_other_tools_begin(
      @TempDir Path directory) throws IOException {
    assumeTrue(System.getenv("AWS_REGION") == null, "this machine has a region");
    Path nothing = Files.createFile(directory.resolve("config"));
    System.setProperty("aws.configFile", nothing.toString());
    try {
      ClientSettings settings = new ClientSettings();
      settings.anonymous = true;
      assertThat(new BucketRegion(settings).region().id()).isEqualTo("us-east-1");
    } finally {
      System.clearProperty("aws.configFile");
    }
  }
}
