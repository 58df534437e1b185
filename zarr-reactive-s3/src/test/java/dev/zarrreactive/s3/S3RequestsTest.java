package dev.zarrreactive.s3;

import static dev.zarrreactive.s3.OneValue.KEY;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.copy.ZarrCopy;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.faults.server.ServerResponse;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import dev.zarrreactive.store.decorator.RetryOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;

/** Which requests an operation makes, and what they say. */
@ExtendWith(NoLeaks.class)
class S3RequestsTest {
  private final OneValue one = new OneValue(1000);

  @AfterEach
  void close() {
    one.close();
  }

  private void seed(String prefix, int count) {
    S3Store direct = S3ProxyServer.shared().at(one.bucket).open();
    await(
        Flux.range(0, count)
            .flatMap(i -> direct.set(StoreKey.of(prefix + i), Bytes.EMPTY), 32)
            .then());
    await(direct.close());
  }

  @Test
  void a_listing_requests_a_page_at_the_first_demand() {
    seed("many/c/", 2500);
    StepVerifier.create(one.store.listPrefix(StorePrefix.of("many/")), 0)
        .expectSubscription()
        .then(() -> assertThat(one.server.requests()).isEmpty())
        .thenRequest(1000)
        .expectNextCount(1000)
        .then(() -> assertThat(one.server.requests()).hasSize(1))
        .thenRequest(1)
        .expectNextCount(1)
        .then(() -> assertThat(one.server.requests()).hasSize(2))
        .thenRequest(Long.MAX_VALUE)
        .expectNextCount(1499)
        .expectComplete()
        .verify(OneValue.PATIENCE);
    assertThat(one.server.requests()).hasSize(3);
    one.server.forget();
    assertThat(await(one.store.listDir(StorePrefix.of("many/")).collectList())).hasSize(1);
    assertThat(one.server.requests()).hasSize(1);
  }

  @Test
  void many_keys_are_erased_by_few_requests() {
    seed("many/", 1500);
    await(one.store.erasePrefix(StorePrefix.of("many/")));
    // a batch waits 10 ms for its keys: on a busy machine a page makes several
    assertThat(posts()).hasSizeBetween(2, 150);
    assertThat(one.server.requests()).hasSizeLessThan(200);
    assertThat(await(one.store.list().collectList())).containsExactly(KEY);
  }

  @Test
  void values_are_erased_one_by_one_where_the_server_has_no_batches() {
    seed("many/", 20);
    one.server.misbehave(Fault.status(501, null).ofMethod("POST"));
    await(one.store.erasePrefix(StorePrefix.of("many/")));
    assertThat(posts()).as("batches at a time").hasSizeLessThanOrEqualTo(4);
    one.server.forget();
    seed("more/", 20);
    await(one.store.erasePrefix(StorePrefix.of("more/")));
    assertThat(posts()).as("the refusal is known").isEmpty();
    assertThat(await(one.store.list().collectList())).containsExactly(KEY);
  }

  @Test
  void a_key_of_a_batch_that_was_not_erased_is_the_error() {
    String answer =
        "<DeleteResult><Error><Key>a/1</Key><Code>%s</Code><Message>no</Message></Error>"
            + "</DeleteResult>";
    Flux<StoreKey> keys = Flux.just("a/0", "a/1").map(StoreKey::of);
    one.server.misbehave(answering(String.format(answer, "AccessDenied")));
    assertThat(errorOfBatch(keys))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("a/1");
    one.server.misbehave(answering(String.format(answer, "SlowDown")));
    assertThat(errorOfBatch(keys)).isInstanceOf(TransientStoreException.class);
    one.server.misbehave(answering(String.format(answer, "NoSuchKey")));
    await(one.store.eraseValues(keys));
  }

  /** Erases keys by one request; on a busy machine they may come as batches of one key first. */
  private @Nullable Throwable errorOfBatch(Flux<StoreKey> keys) {
    Throwable error;
    do {
      one.server.forget();
      error = errorOf(one.store.eraseValues(keys));
    } while (posts().isEmpty());
    return error;
  }

  private List<ReceivedRequest> posts() {
    return one.server.requests().stream().filter(asked -> asked.method().equals("POST")).toList();
  }

  private static Fault answering(String xml) {
    return (asked, behaviour) -> behaviour.withInstead(ServerResponse.of(200, Bytes.utf8(xml)));
  }

  @Test
  void a_large_value_is_written_in_parts_which_are_discarded_when_one_fails() {
    int part = 5 << 20;
    try (OneValue small =
        new OneValue(10, settings -> settings.multipart(part, part).conditionalMultipart(true))) {
      Bytes large = OneValue.random(2 * part + 100);
      StoreKey key = StoreKey.of("large");
      await(small.store.set(key, large, Precondition.ABSENT));
      assertThat(await(small.store.get(key))).isEqualTo(large);
      assertThat(small.server.requests().stream().filter(asked -> asked.method().equals("PUT")))
          .hasSize(3);
      assertThat(errorOf(small.store.set(key, large, Precondition.ABSENT)))
          .isInstanceOf(PreconditionFailedException.class);
      small.server.misbehave(
          Fault.status(403, null).where(asked -> asked.uri().contains("partNumber=2")));
      assertThat(errorOf(small.store.set(key, large))).isInstanceOf(AccessDeniedException.class);
      small.server.misbehave(Fault.silence().where(asked -> asked.uri().contains("partNumber=2")));
      long before = secondParts(small);
      StepVerifier.create(small.store.set(key, large))
          .expectSubscription()
          .then(() -> OneValue.eventually(() -> secondParts(small) > before))
          .thenCancel()
          .verify(OneValue.PATIENCE);
      OneValue.eventually(
          () -> S3ProxyServer.shared().objects().listMultipartUploads(small.bucket).isEmpty());
    }
  }

  @Test
  void pieces_are_uploaded_in_parts_and_nothing_is_left_of_an_upload_that_ends_early() {
    int part = 5 << 20;
    try (OneValue one = new OneValue(10, settings -> settings.multipart(part, part))) {
      StoreKey key = StoreKey.of("pieces");
      Bytes large = OneValue.random(2 * part + 100);
      Flux<Bytes> pieces =
          Flux.range(0, 11)
              .map(
                  i ->
                      large.slice(
                          i * 1_000_000, Math.min(1_000_000, large.size() - i * 1_000_000)));
      await(one.store.set(key, pieces, Precondition.NONE));
      assertThat(await(one.store.get(key))).isEqualTo(large);
      assertThat(one.server.requests().stream().filter(asked -> asked.method().equals("PUT")))
          .hasSize(3);
      long before = secondParts(one);
      RuntimeException error = new IllegalArgumentException("of the source");
      assertThat(
              errorOf(one.store.set(key, pieces.concatWith(Flux.error(error)), Precondition.NONE)))
          .isSameAs(error);
      one.server.misbehave(
          Fault.status(403, null).where(asked -> asked.uri().contains("partNumber=2")));
      assertThat(errorOf(one.store.set(key, pieces, Precondition.NONE)))
          .isInstanceOf(AccessDeniedException.class);
      one.server.misbehave(Fault.NONE);
      long now = secondParts(one);
      assertThat(now).isGreaterThan(before);
      long uploads = firstParts(one);
      StepVerifier.create(one.store.set(key, pieces.concatWith(Flux.never()), Precondition.NONE))
          .expectSubscription()
          .then(() -> OneValue.eventually(() -> firstParts(one) > uploads))
          .thenCancel()
          .verify(OneValue.PATIENCE);
      OneValue.eventually(
          () -> S3ProxyServer.shared().objects().listMultipartUploads(one.bucket).isEmpty());
      assertThat(await(one.store.get(key))).isEqualTo(large);
    }
  }

  @Test
  void a_copy_into_a_shard_beyond_the_bytes_in_flight_goes_up_in_parts() {
    int part = 5 << 20;
    byte[] bytes = OneValue.random(16 << 20).toByteArray();
    Shape shape = Shape.of(2, 2048, 4096);
    MemoryStore near = MemoryStore.create();
    await(
        Zarr.hierarchy(near)
            .createArray(
                "",
                ArrayMetadata.v3(shape, DataTypes.UINT8)
                    .chunkShape(1, 512, 512)
                    .uncompressed()
                    .build())
            .flatMap(
                array ->
                    array.write(
                        Selection.all(), NdArray.wrap(DataTypes.UINT8, shape, Bytes.wrap(bytes)))));
    try (OneValue one = new OneValue(10, settings -> settings.multipart(part, part))) {
      ZarrOptions little = ZarrOptions.defaults().withMaxInFlightBytes(4 << 20);
      await(
          ZarrCopy.of(Zarr.hierarchy(near), Zarr.hierarchy(one.store, little))
              .to("copy")
              .chunkShape(2, 512, 512)
              .shardShape(2, 2048, 4096)
              .run()
              .then());
      assertThat(secondParts(one)).isPositive();
      assertThat(
              await(Zarr.hierarchy(one.store).openArray("copy").flatMap(ZarrArray::read)).bytes())
          .isEqualTo(Bytes.wrap(bytes));
      MemoryStore back = MemoryStore.create();
      await(
          ZarrCopy.of(Zarr.hierarchy(one.store), Zarr.hierarchy(back, little))
              .from("copy")
              .run()
              .then());
      StoreKey shard = StoreKey.of("c/0/0/0");
      assertThat(await(back.get(shard)))
          .isEqualTo(await(one.store.get(StoreKey.of("copy/" + shard.value()))));
    }
  }

  @Test
  void a_request_of_an_upload_is_repeated_and_the_pieces_are_not() {
    int part = 5 << 20;
    try (OneValue one = new OneValue(10, settings -> settings.multipart(part, part))) {
      StoreKey key = StoreKey.of("pieces");
      Bytes large = OneValue.random(part + 100);
      AtomicInteger subscriptions = new AtomicInteger();
      Flux<Bytes> pieces = Flux.just(large).doOnSubscribe(s -> subscriptions.incrementAndGet());
      AtomicInteger failures = new AtomicInteger();
      one.server.misbehave(
          Fault.status(503, null)
              .where(
                  asked -> asked.uri().contains("partNumber=1") && failures.getAndIncrement() < 2));
      await(
          Stores.retrying(one.store, RetryOptions.defaults()).set(key, pieces, Precondition.NONE));
      assertThat(await(one.store.get(key))).isEqualTo(large);
      assertThat(subscriptions.get()).isEqualTo(1);
    }
  }

  private static long firstParts(OneValue asked) {
    return asked.server.requests().stream()
        .filter(request -> request.uri().contains("partNumber=1"))
        .count();
  }

  private static long secondParts(OneValue asked) {
    return asked.server.requests().stream()
        .filter(request -> request.uri().contains("partNumber=2"))
        .count();
  }

  @Test
  void a_payer_says_so_in_every_request() {
    try (OneValue paying = new OneValue(10, settings -> settings.requesterPays(true))) {
      await(paying.store.get(KEY));
      await(paying.store.get(KEY, new ByteRange.Suffix(0)));
      await(paying.store.set(KEY, paying.value));
      await(paying.store.list().then());
      await(paying.store.erase(KEY));
      assertThat(paying.server.requests())
          .allMatch(asked -> "requester".equals(asked.header("x-amz-request-payer")))
          .extracting(ReceivedRequest::method)
          .contains("GET", "HEAD", "PUT", "DELETE");
    }
  }

  @Test
  void a_payer_says_so_when_many_values_are_erased_at_once() {
    try (OneValue paying = new OneValue(10, settings -> settings.requesterPays(true))) {
      Flux<StoreKey> keys = Flux.just("a", "b").map(StoreKey::of);
      do { // on a busy machine the keys may come as batches of one key first
        await(paying.store.eraseValues(keys));
      } while (paying.server.requests().stream().noneMatch(asked -> asked.method().equals("POST")));
      assertThat(paying.server.requests())
          .allMatch(asked -> "requester".equals(asked.header("x-amz-request-payer")));
    }
  }

  @Test
  void etags_are_sent_with_quotation_marks_or_without() {
    for (boolean unquoted : List.of(false, true)) {
      try (OneValue any = new OneValue(10, settings -> settings.unquotedETags(unquoted))) {
        VersionedBytes read =
            Objects.requireNonNull(await(any.store.getVersioned(KEY, null, ReadCondition.ALWAYS)));
        Version version = Objects.requireNonNull(read.version());
        assertThat(version.tag()).startsWith("\"").endsWith("\"");
        any.server.forget();
        await(any.store.set(KEY, any.value, Precondition.matches(version)).onErrorComplete());
        String sent = Objects.requireNonNull(any.server.requests().get(0).header("if-match"));
        assertThat(sent).isEqualTo(unquoted ? version.tag().replace("\"", "") : version.tag());
      }
    }
  }

  @Test
  void a_value_is_read_on_condition_that_it_was_not_modified_since() {
    ByteRange range = new ByteRange.Slice(10, 5);
    Instant now = Instant.now().plusSeconds(3600);
    assertThat(await(one.store.getVersioned(KEY, range, ReadCondition.ifUnmodifiedSince(now))))
        .isNotNull();
    assertThat(one.server.requests().get(0).header("if-unmodified-since")).isNotNull();
    for (ByteRange part : List.of(range, new ByteRange.Slice(0, 0), new ByteRange.Suffix(3))) {
      assertThat(
              errorOf(
                  one.store.getVersioned(
                      KEY, part, ReadCondition.ifUnmodifiedSince(Instant.EPOCH))))
          .as("%s", part)
          .isInstanceOf(PreconditionFailedException.class)
          .hasMessageContaining("1970-01-01T00:00:00Z");
    }
  }

  @Test
  void checksums_are_sent_where_they_are_required_or_wherever_they_can_be() {
    await(one.store.set(KEY, one.value));
    await(one.store.get(KEY));
    assertThat(one.server.requests())
        .noneMatch(
            asked ->
                asked.headers().keySet().stream().anyMatch(name -> name.contains("checksum"))
                    || asked.header("x-amz-trailer") != null
                    || asked.header("x-amz-te") != null
                    || asked.header("content-encoding") != null);
    try (OneValue checked = new OneValue(10, settings -> settings.checksumsWhenSupported(true))) {
      await(checked.store.set(KEY, checked.value));
      assertThat(checked.server.requests().get(0).header("x-amz-trailer")).contains("checksum");
      assertThat(await(checked.store.get(KEY))).isEqualTo(checked.value);
    }
  }

  @Test
  void a_bucket_that_does_not_exist_is_an_error_and_no_missing_value() {
    S3Store store = S3ProxyServer.shared().at("no-such-bucket").open();
    for (Mono<?> mono :
        List.of(
            store.get(KEY),
            store.get(KEY, new ByteRange.Suffix(3)),
            store.get(KEY, new ByteRange.Slice(3, 0)),
            store.list().then(),
            store.erase(KEY),
            store.set(KEY, Bytes.EMPTY))) {
      assertThat(errorOf(mono))
          .isExactlyInstanceOf(StoreException.class)
          .hasMessageContaining("NoSuchBucket");
    }
    await(store.close());
  }

  @Test
  void a_wrong_secret_is_refused_and_not_shown() {
    S3Store store =
        S3ProxyServer.shared()
            .at(one.bucket)
            .credentials(S3ProxyServer.ACCESS_KEY, "wr0ng-secret")
            .open();
    Throwable error = errorOf(store.get(KEY));
    assertThat(error).isInstanceOf(AccessDeniedException.class);
    for (Throwable each = error; each != null; each = each.getCause()) {
      assertThat(each.toString()).doesNotContain("wr0ng").doesNotContain(S3ProxyServer.SECRET_KEY);
    }
    assertThat(store.toString()).isEqualTo("S3Store[s3://" + one.bucket + "/]");
    await(store.close());
  }

  @Test
  void a_store_without_credentials_signs_nothing() {
    S3Store store = S3Store.at(one.bucket).endpoint(one.server.uri()).anonymous().open();
    assertThat(errorOf(store.get(KEY))).isInstanceOf(AccessDeniedException.class);
    assertThat(one.server.requests().get(0).header("authorization")).isNull();
    await(store.close());
  }

  /** A bucket that keeps versions: of each object an old and a new one. */
  @Test
  void a_version_that_the_bucket_keeps_is_read_also_after_it_was_replaced() {
    try (FaultyServer server = FaultyServer.of(asked -> Mono.just(kept(asked)))) {
      S3Store store =
          S3Store.at("bucket").endpoint(server.uri()).anonymous().versionIds(true).open();
      Version old = new Version("\"etag-v1\"@v1");
      VersionedBytes now =
          Objects.requireNonNull(await(store.getVersioned(KEY, null, ReadCondition.ALWAYS)));
      assertThat(now.version()).isEqualTo(new Version("\"etag-v2\"@v2"));
      VersionedBytes before =
          Objects.requireNonNull(await(store.getVersioned(KEY, null, ReadCondition.ifMatch(old))));
      assertThat(before).isEqualTo(new VersionedBytes(Bytes.utf8("value v1"), old));
      assertThat(
              errorOf(
                  store.getVersioned(
                      KEY, null, ReadCondition.ifMatch(new Version("\"etag-v0\"@v0")))))
          .isInstanceOf(PreconditionFailedException.class);
      server.forget();
      await(store.set(KEY, Bytes.EMPTY, Precondition.matches(old)).onErrorComplete());
      assertThat(server.requests().get(0).header("if-match")).isEqualTo("\"etag-v1\"");
      await(store.close());
    }
  }

  private static ServerResponse kept(ReceivedRequest asked) {
    String uri = asked.uri();
    String id = uri.contains("versionId=") ? uri.replaceAll(".*versionId=(v\\d).*", "$1") : "v2";
    return id.equals("v0")
        ? ServerResponse.of(404, Bytes.utf8("<Error><Code>NoSuchVersion</Code></Error>"))
        : ServerResponse.of(200, Bytes.utf8("value " + id))
            .with("etag", "\"etag-" + id + "\"")
            .with("x-amz-version-id", id);
  }

  @Test
  void a_client_of_the_application_is_used_and_left_open() {
    try (S3AsyncClient client =
        S3AsyncClient.builder()
            .endpointOverride(one.server.uri())
            .forcePathStyle(true)
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(
                    AwsBasicCredentials.create(S3ProxyServer.ACCESS_KEY, S3ProxyServer.SECRET_KEY)))
            .build()) {
      S3Store store = S3Store.at(one.bucket).client(client).open();
      assertThat(await(store.get(KEY))).isEqualTo(one.value);
      await(store.close());
      S3Store again = S3Store.at(one.bucket).client(client).open();
      assertThat(await(again.get(KEY))).isEqualTo(one.value);
      assertThatThrownBy(() -> S3Store.at("b").client(client).region("eu-west-1").open())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("region");
    }
  }

  @Test
  void a_store_that_is_closed_says_so_and_one_never_used_closes() {
    S3Store store = S3ProxyServer.shared().at(one.bucket).open();
    await(store.get(KEY));
    await(store.close());
    await(store.close());
    assertThat(errorOf(store.get(KEY))).hasMessageContaining("was closed");
    await(S3Store.at("b").endpoint(URI.create("http://nowhere.invalid")).open().close());
  }

  @Test
  void capabilities_of_the_server_are_settings() {
    S3Store plain = S3Store.open("b");
    assertThat(plain.capabilities())
        .contains(StoreCapability.CONDITIONAL_WRITE, StoreCapability.VERSIONS)
        .doesNotContain(StoreCapability.CONDITIONAL_ERASE);
    S3Store other = S3Store.at("b").conditionalWrites(false).conditionalErase(true).open();
    assertThat(other.capabilities())
        .contains(StoreCapability.CONDITIONAL_ERASE)
        .doesNotContain(StoreCapability.CONDITIONAL_WRITE);
    assertThatThrownBy(() -> S3Store.at("b").multipart(0, 1000))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> S3Store.at("a/b")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void one_version_is_erased_on_condition_where_that_is_switched_on() {
    try (OneValue erasing = new OneValue(10, settings -> settings.conditionalErase(true))) {
      erasing.server.misbehave(Fault.status(412, null).ofMethod("DELETE"));
      assertThat(errorOf(erasing.store.erase(KEY, new Version("\"x\""))))
          .isInstanceOf(PreconditionFailedException.class);
      assertThat(erasing.server.requests().get(0).header("if-match")).isEqualTo("\"x\"");
      erasing.server.misbehave(Fault.NONE);
      await(erasing.store.erase(KEY));
      assertThat(await(erasing.store.get(KEY))).isNull();
    }
  }
}
