package dev.zarrreactive.gcs;

import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.Behaviour;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.faults.server.ServerResponse;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import dev.zarrreactive.store.decorator.RetryOptions;
import dev.zarrreactive.store.decorator.Stores;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Flux;

/** The requests of writes, and what becomes of them where answers are lost. */
@ExtendWith(NoLeaks.class)
class GcsWritesTest {
  private static final StoreKey KEY = StoreKey.of("a/c/0");
  private static final int PART = 256 << 10;

  private final XmlApiServer google = XmlApiServer.start();
  private final String bucket = google.newBucket();
  private final FaultyServer server = FaultyServer.before(google.uri());
  private final GcsStore direct = google.at(bucket).open();
  private final GcsStore store = GcsStore.at(bucket).endpoint(server.uri()).partSize(PART).open();

  @AfterEach
  void close() {
    await(store.close());
    await(direct.close());
    server.close();
    google.close();
  }

  private List<String> requests() {
    return server.requests().stream().map(GcsWritesTest::shown).toList();
  }

  /** Makes bytes that no other seed gives. */
  static Bytes random(int size, long seed) {
    byte[] bytes = new byte[size];
    new Random(seed).nextBytes(bytes);
    return Bytes.wrap(bytes);
  }

  private static String shown(ReceivedRequest request) {
    String range = request.header("content-range");
    return request.method() + (range == null ? "" : " " + range);
  }

  private VersionedBytes stored() {
    return Objects.requireNonNull(
        await(direct.getVersioned(KEY, null, ReadCondition.ALWAYS)), "a value");
  }

  /** A fault of the first request of a kind. */
  private static Fault first(Predicate<ReceivedRequest> which, Fault fault) {
    Fault once = fault.times(1);
    return (asked, behaviour) -> which.test(asked) ? once.apply(asked, behaviour) : Behaviour.GOOD;
  }

  private static boolean isLast(ReceivedRequest asked) {
    String range = asked.header("content-range");
    return range != null && !range.endsWith("/*");
  }

  @Test
  void a_value_of_a_part_is_one_put_with_its_condition() {
    Bytes value = random(PART, 1);
    await(store.set(KEY, value, Precondition.ABSENT));
    assertThat(requests()).containsExactly("PUT");
    assertThat(server.requests().get(0).header("x-goog-if-generation-match")).isEqualTo("0");
    String generation = stored().version().tag().split("@")[0];
    await(store.set(KEY, value, Precondition.matches(stored().version())));
    assertThat(server.requests().get(1).header("x-goog-if-generation-match")).isEqualTo(generation);
    assertThat(stored().version().tag()).isNotEqualTo(generation);
  }

  @Test
  void a_larger_value_goes_up_in_parts_one_after_the_other() {
    Bytes value = random(2 * PART + 5, 2);
    await(
        store.set(
            KEY,
            Flux.just(value.slice(0, 7), value.slice(7, value.size() - 7)),
            Precondition.NONE));
    assertThat(requests())
        .containsExactly(
            "POST",
            "PUT bytes 0-262143/*",
            "PUT bytes 262144-524287/*",
            "PUT bytes 524288-524292/524293");
    assertThat(stored().bytes()).isEqualTo(value);
    assertThat(google.openSessions()).isZero();
  }

  @Test
  void the_condition_of_an_upload_is_checked_at_its_end() {
    await(direct.set(KEY, Bytes.utf8("old")));
    Precondition old = Precondition.matches(stored().version());
    Flux<Bytes> pieces =
        Flux.just(random(2 * PART, 3), random(2 * PART, 4))
            .doOnComplete(() -> google.put(bucket, KEY.value(), new byte[] {1}));
    assertThat(errorOf(store.set(KEY, pieces, old)))
        .isInstanceOf(PreconditionFailedException.class)
        .hasMessageContaining("wanted to change version")
        .hasMessageContaining("key a/c/0");
    assertThat(stored().bytes()).isEqualTo(Bytes.wrap(new byte[] {1}));
    assertThat(google.openSessions()).isZero();
  }

  @Test
  void a_part_whose_answer_is_lost_is_not_sent_twice() {
    Store retrying = Stores.retrying(store, RetryOptions.defaults());
    Bytes value = random(3 * PART, 5);
    google.loseAnswersOfParts(1);
    await(retrying.set(KEY, Flux.just(value), Precondition.ABSENT));
    assertThat(stored().bytes()).isEqualTo(value);
    assertThat(requests())
        .containsExactly(
            "POST",
            "PUT bytes 0-262143/*",
            "PUT bytes */*",
            "PUT bytes 262144-524287/*",
            "PUT bytes 524288-786431/786432");
  }

  @Test
  void what_the_server_did_not_take_of_a_part_is_sent_again() {
    GcsStore inTwos = GcsStore.at(bucket).endpoint(server.uri()).partSize(2 * PART).open();
    Bytes value = random(2 * PART + 1, 8);
    google.keepOfParts(PART);
    await(inTwos.set(KEY, Flux.just(value), Precondition.NONE));
    assertThat(stored().bytes()).isEqualTo(value);
    assertThat(requests())
        .containsExactly(
            "POST",
            "PUT bytes 0-524287/*",
            "PUT bytes 262144-524287/*",
            "PUT bytes 524288-524288/524289");
    await(inTwos.close());
  }

  @Test
  void without_retries_a_lost_part_is_an_error_that_may_pass_and_ends_the_upload() {
    google.loseAnswersOfParts(1);
    assertThat(errorOf(store.set(KEY, Flux.just(random(2 * PART, 9)), Precondition.NONE)))
        .isInstanceOf(TransientStoreException.class)
        .hasMessageContaining("503 InternalError")
        .hasMessageContaining("key a/c/0");
    assertThat(google.openSessions()).isZero();
  }

  @Test
  void a_server_that_takes_nothing_of_a_part_ends_the_upload() {
    google.keepOfParts(0);
    assertThat(errorOf(store.set(KEY, Flux.just(random(2 * PART, 10)), Precondition.NONE)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("has 0 bytes of an upload after it was sent 262144");
    assertThat(google.openSessions()).isZero();
  }

  @Test
  void an_upload_whose_last_answer_is_lost_is_found_to_be_complete() {
    Store retrying = Stores.retrying(store, RetryOptions.defaults());
    Bytes value = random(PART + 1, 6);
    server.misbehave(first(GcsWritesTest::isLast, lost()));
    await(retrying.set(KEY, Flux.just(value), Precondition.ABSENT));
    assertThat(stored().bytes()).isEqualTo(value);
    assertThat(requests()).endsWith("PUT bytes 262144-262144/262145", "PUT bytes */262145");
  }

  /** The server does what it was asked for, and its answer becomes a 503. */
  private static Fault lost() {
    return Fault.answer(good -> ServerResponse.of(503, Bytes.EMPTY));
  }

  @Test
  void an_error_of_the_pieces_ends_the_upload_and_is_theirs() {
    Flux<Bytes> pieces =
        Flux.concat(
            List.of(Flux.just(random(2 * PART, 7)), Flux.error(new IllegalStateException("mine"))));
    assertThat(errorOf(store.set(KEY, pieces, Precondition.NONE)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("mine");
    assertThat(google.openSessions()).isZero();
    assertThat(await(direct.get(KEY))).isNull();
  }

  @Test
  void a_version_of_another_kind_is_no_condition() {
    Precondition weak = Precondition.matches(new Version("\"etag\""));
    assertThat(errorOf(store.set(KEY, Bytes.EMPTY, weak)))
        .isInstanceOf(PreconditionFailedException.class)
        .hasMessageContaining("without a generation");
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void a_missing_bucket_is_an_error_and_no_missing_value() {
    GcsStore none = google.at("no-such-bucket").open();
    assertThat(errorOf(none.get(KEY)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("404 NoSuchBucket; create the bucket first");
    assertThat(errorOf(none.set(KEY, Bytes.EMPTY))).hasMessageContaining("NoSuchBucket");
    assertThat(errorOf(none.list().then())).hasMessageContaining("NoSuchBucket");
    assertThat(errorOf(none.erase(KEY))).hasMessageContaining("NoSuchBucket");
    await(none.close());
  }

  @Test
  void another_server_than_the_endpoint_answers_no_missing_value() {
    google.put(bucket, KEY.value(), new byte[1]);
    server.misbehave(Fault.answer(good -> ServerResponse.of(404, Bytes.utf8("<html>"))));
    assertThat(errorOf(store.get(KEY)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("are the bucket and the endpoint right?");
  }
}
