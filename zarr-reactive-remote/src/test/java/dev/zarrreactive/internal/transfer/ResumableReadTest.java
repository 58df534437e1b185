package dev.zarrreactive.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.RangeOutOfBoundsException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads over a script of responses: the requests that a read sends, and its end. */
class ResumableReadTest {
  private static final StoreKey KEY = StoreKey.of("c/0");
  private static final String URL = "http://host/c/0";
  private static final Version ONE = new Version("\"1\"");
  private static final Version TWO = new Version("\"2\"");
  private static final ByteRange SUFFIX = new ByteRange.Suffix(4);

  private final Deque<Scripted> script = new ArrayDeque<>();
  private final List<ValueRequests.Get> sent = new ArrayList<>();
  private int sizesAsked;
  private ValueSize size = new ValueSize(10, ONE, null);
  private final ValueReader reader = new ValueReader(new ScriptedRequests(), 2);

  /** One response of the script. */
  private interface Scripted {
    Mono<ValueRequests.Response> respond(ValueRequests.BodyReader reader);
  }

  private final class ScriptedRequests implements ValueRequests {
    @Override
    public Mono<ValueRequests.Response> get(
        StoreKey key, ValueRequests.Get request, BodyReader reader) {
      return Mono.defer(
          () -> {
            sent.add(request);
            return script.remove().respond(reader);
          });
    }

    @Override
    public Mono<ValueSize> size(StoreKey key, ReadCondition condition) {
      return Mono.fromSupplier(
          () -> {
            sizesAsked++;
            return size;
          });
    }
  }

  private static BodyHead whole(@Nullable Version version) {
    return BodyHead.whole(KEY, URL, 10, false, version);
  }

  private static BodyHead partial(int from, int end, Version version) {
    return BodyHead.partial(
        KEY, URL, "bytes " + from + "-" + (end - 1) + "/10", end - from, version);
  }

  /** The digits of 0123456789 from one place to another. */
  private static Flux<ByteBuffer> digits(int from, int end) {
    return Flux.range(from, end - from).map(i -> ByteBuffer.wrap(new byte[] {(byte) ('0' + i)}));
  }

  private static Flux<ByteBuffer> cut(int from, int end) {
    return digits(from, end)
        .concatWith(Mono.error(() -> new TransientStoreException("cut", Location.UNKNOWN)));
  }

  private void respond(BodyHead head, Flux<ByteBuffer> body) {
    script.add(reader -> reader.read(head, body));
  }

  private void refuse(int status, long total) {
    script.add(
        reader ->
            Mono.just(
                new ValueRequests.Refused(
                    status,
                    URL,
                    total,
                    () -> ResponseErrors.of(status, "status " + status, Location.UNKNOWN, null))));
  }

  private VersionedBytes read(@Nullable ByteRange range, ReadCondition condition) {
    return Objects.requireNonNull(reader.read(KEY, range, condition).block());
  }

  private String text(@Nullable ByteRange range) {
    Bytes bytes = read(range, ReadCondition.ALWAYS).bytes();
    return new String(Objects.requireNonNull(bytes).toByteArray());
  }

  private List<String> ranges() {
    return sent.stream().map(request -> String.valueOf(request.range())).toList();
  }

  @Test
  void a_body_that_was_cut_is_resumed_from_its_last_byte_with_its_version() {
    respond(whole(ONE), cut(0, 4));
    respond(partial(4, 10, ONE), cut(4, 5));
    respond(partial(5, 10, ONE), digits(5, 10));
    assertThat(text(null)).isEqualTo("0123456789");
    assertThat(ranges()).containsExactly("null", "bytes=4-9", "bytes=5-9");
    assertThat(sent).extracting(ValueRequests.Get::resumes).containsExactly(false, true, true);
    assertThat(sent.get(2).condition()).isEqualTo(ReadCondition.ifMatch(ONE));
  }

  @Test
  void the_rest_of_a_slice_ends_where_the_slice_does() {
    respond(partial(2, 8, ONE), cut(2, 5));
    respond(partial(5, 8, ONE), digits(5, 8));
    assertThat(text(new ByteRange.Slice(2, 6))).isEqualTo("234567");
    assertThat(ranges()).containsExactly("bytes=2-7", "bytes=5-7");
  }

  @Test
  void a_server_that_answers_a_resume_with_the_whole_value_is_read_past_the_known_bytes() {
    respond(partial(2, 8, ONE), cut(2, 5));
    respond(whole(ONE), digits(0, 10));
    assertThat(text(new ByteRange.Slice(2, 6))).isEqualTo("234567");
  }

  @Test
  void a_body_without_a_strong_version_is_never_resumed() {
    respond(whole(new Version("W/\"1\"")), cut(0, 4));
    assertThatThrownBy(() -> text(null)).isInstanceOf(TransientStoreException.class);
    respond(whole(null), cut(0, 4));
    assertThatThrownBy(() -> text(null)).isInstanceOf(TransientStoreException.class);
    assertThat(sent).hasSize(2);
  }

  @Test
  void resumes_are_counted_and_each_but_the_first_must_follow_some_bytes() {
    respond(whole(ONE), cut(0, 1));
    respond(partial(1, 10, ONE), cut(1, 2));
    respond(partial(2, 10, ONE), cut(2, 3));
    assertThatThrownBy(() -> text(null)).hasMessageContaining("cut");
    assertThat(sent).as("two resumes are allowed").hasSize(3);
    respond(whole(ONE), cut(0, 0));
    respond(partial(0, 10, ONE), cut(0, 0));
    assertThatThrownBy(() -> text(null)).hasMessageContaining("cut");
    assertThat(sent).as("the second cut came without a byte").hasSize(5);
  }

  @Test
  void a_value_that_changed_under_a_resume_is_a_transient_error() {
    respond(whole(ONE), cut(0, 4));
    respond(whole(TWO), digits(0, 10));
    assertThatThrownBy(() -> text(null))
        .isInstanceOf(TransientStoreException.class)
        .hasMessageContaining("changed while it was read");
    respond(whole(ONE), cut(0, 4));
    refuse(412, -1);
    assertThatThrownBy(() -> text(null)).hasMessageContaining("changed while it was read");
    respond(whole(ONE), cut(0, 4));
    script.add(reader -> Mono.empty());
    assertThatThrownBy(() -> text(null)).hasMessageContaining("changed while it was read");
  }

  @Test
  void a_resume_with_other_bytes_than_the_missing_ones_is_an_error() {
    respond(whole(ONE), cut(0, 4));
    respond(partial(5, 10, ONE), digits(5, 10));
    assertThatThrownBy(() -> text(null))
        .isExactlyInstanceOf(StoreException.class)
        .hasMessageContaining("answered bytes 5-9/10, wanted bytes=4-9");
  }

  @Test
  void a_condition_that_the_server_ignored_is_checked_by_the_version_of_the_body() {
    respond(whole(ONE), digits(0, 10));
    assertThat(read(null, ReadCondition.ifChanged(ONE)).isUnchanged()).isTrue();
    respond(whole(ONE), digits(0, 10));
    assertThatThrownBy(() -> read(null, ReadCondition.ifMatch(TWO)))
        .isInstanceOf(PreconditionFailedException.class);
  }

  @Test
  void a_status_for_a_condition_counts_only_where_one_was_sent() {
    refuse(304, -1);
    assertThat(read(null, ReadCondition.ifChanged(ONE)).isUnchanged()).isTrue();
    refuse(412, -1);
    assertThatThrownBy(() -> read(null, ReadCondition.ifMatch(ONE)))
        .isInstanceOf(PreconditionFailedException.class);
    for (int status : new int[] {304, 412, 416}) {
      refuse(status, -1);
      assertThatThrownBy(() -> text(null)).hasMessageContaining("status " + status);
    }
  }

  @Test
  void a_refused_range_is_compared_with_the_size_of_the_value() {
    refuse(416, 10);
    assertThat(text(new ByteRange.From(10))).isEmpty();
    refuse(416, -1);
    assertThatThrownBy(() -> text(new ByteRange.From(11)))
        .isInstanceOf(RangeOutOfBoundsException.class);
    refuse(416, 9);
    assertThatThrownBy(() -> text(new ByteRange.Slice(8, 9)))
        .as("the value had nine bytes, and has ten")
        .isInstanceOf(TransientStoreException.class);
    refuse(416, 10);
    assertThatThrownBy(() -> text(new ByteRange.Slice(2, 3)))
        .as("the value has these bytes")
        .isExactlyInstanceOf(StoreException.class)
        .hasMessageContaining("status 416");
  }

  @Test
  void a_refused_suffix_is_read_by_the_size_and_from_then_on_at_once() {
    refuse(400, -1);
    respond(partial(6, 10, ONE), digits(6, 10));
    assertThat(text(SUFFIX)).isEqualTo("6789");
    respond(partial(6, 10, ONE), digits(6, 10));
    assertThat(text(SUFFIX)).isEqualTo("6789");
    assertThat(ranges()).containsExactly("bytes=-4", "bytes=6-9", "bytes=6-9");
    assertThat(sizesAsked).isEqualTo(2);
  }

  @Test
  void the_suffix_of_an_empty_value_teaches_nothing_about_the_server() {
    size = new ValueSize(0, ONE, null);
    for (long total : new long[] {0, -1}) {
      refuse(416, total);
      assertThat(text(SUFFIX)).isEmpty();
    }
    assertThat(ranges()).containsExactly("bytes=-4", "bytes=-4");
  }

  @Test
  void a_value_that_changes_between_its_size_and_its_bytes_is_a_transient_error() {
    refuse(400, -1);
    respond(partial(6, 10, TWO), digits(6, 10));
    assertThatThrownBy(() -> text(SUFFIX)).isInstanceOf(TransientStoreException.class);
    refuse(400, -1);
    refuse(416, -1);
    assertThatThrownBy(() -> text(SUFFIX)).isInstanceOf(TransientStoreException.class);
  }

  @Test
  void an_empty_range_asks_for_the_size_alone() {
    assertThat(text(new ByteRange.Slice(10, 0))).isEmpty();
    assertThat(text(new ByteRange.Suffix(0))).isEmpty();
    assertThatThrownBy(() -> text(new ByteRange.Slice(11, 0)))
        .isInstanceOf(RangeOutOfBoundsException.class);
    assertThat(sent).isEmpty();
    assertThat(sizesAsked).isEqualTo(3);
  }
}
