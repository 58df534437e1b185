package dev.zarrreactive.internal.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.sharing.OwnSettlement;
import dev.zarrreactive.internal.sharing.UploadRetries;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Version;
import java.net.ConnectException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class ObjectWriterTest {
  private static final StoreKey KEY = StoreKey.of("a/b");
  private final List<String> sent = new CopyOnWriteArrayList<>();

  /** The error of each request; null for none. */
  private @Nullable RuntimeException failure;

  /** The marks of the writes. */
  private final List<String> marks = new CopyOnWriteArrayList<>();

  /** What a look at the stored value finds. */
  private Mono<ObjectWriter.Stored> look = Mono.empty();

  private boolean isUnsent;

  private final class Service
      implements ObjectWriter.Requests, PartedUpload.Requests<String, Integer> {
    private final PartedUpload<String, Integer> parts = new PartedUpload<>(this);

    private <T> Mono<T> request(String what, T answer) {
      return Mono.fromSupplier(
          () -> {
            sent.add(what);
            if (failure != null && !what.equals("discard")) {
              throw failure;
            }
            return answer;
          });
    }

    @Override
    public Mono<Void> put(StoreKey key, List<Bytes> value, WriteCondition condition) {
      marks.add(condition.mark());
      return request("put " + ValuePart.size(value) + condition(condition), true).then();
    }

    private static String condition(WriteCondition condition) {
      return condition.ifMatch() != null
          ? " if " + condition.ifMatch()
          : condition.isAbsent() ? " if absent" : "";
    }

    @Override
    public Mono<Void> upload(StoreKey key, Publisher<ValuePart> all, WriteCondition condition) {
      return parts.upload(key, all, condition);
    }

    @Override
    public Mono<String> begin(StoreKey key, WriteCondition condition) {
      return request("begin", "id");
    }

    @Override
    public Mono<Integer> send(StoreKey key, String upload, ValuePart part) {
      return request("part " + part.number() + " of " + part.size(), part.number());
    }

    @Override
    public Mono<Void> end(
        StoreKey key, String upload, List<Integer> numbers, WriteCondition condition) {
      return request("end " + numbers + condition(condition), true).then();
    }

    @Override
    public Mono<Void> discard(StoreKey key, String upload) {
      return request("discard", true).then();
    }

    @Override
    public Mono<ObjectWriter.Stored> look(StoreKey key) {
      return Mono.defer(
          () -> {
            sent.add("look");
            return look;
          });
    }

    @Override
    public @Nullable String tag(Version version) {
      return ObjectVersion.of(version).strong();
    }

    @Override
    public String tagName() {
      return "a strong ETag";
    }

    @Override
    public @Nullable String refusal(WriteCondition condition, Throwable error) {
      return "412".equals(error.getMessage()) ? "412" : null;
    }

    @Override
    public Throwable located(StoreKey key, Throwable error) {
      if (error instanceof ZarrException located) {
        return located;
      }
      return "503".equals(error.getMessage())
          ? new TransientStoreException("503", ObjectNames.at(key), error.getCause())
          : new StoreException("" + error.getMessage(), ObjectNames.at(key));
    }

    @Override
    public boolean isUnsent(Throwable error) {
      return isUnsent;
    }
  }

  private ObjectWriter writer(boolean conditionalParts) {
    return new ObjectWriter(new Service(), new ObjectWriter.Limits(10, 4, conditionalParts));
  }

  private static Bytes bytes(int size) {
    return Bytes.wrap(new byte[size]);
  }

  @Test
  void a_small_value_is_one_request_and_a_large_one_is_sent_in_parts() {
    writer(false).set(KEY, bytes(10), Precondition.NONE).block();
    writer(false).set(KEY, bytes(11), Precondition.NONE).block();
    assertThat(sent).startsWith("put 10", "begin").endsWith("end [1, 2, 3]").hasSize(6);
    assertThat(sent.subList(2, 5))
        .containsExactlyInAnyOrder("part 1 of 4", "part 2 of 4", "part 3 of 3");
  }

  @Test
  void streamed_pieces_are_cut_where_parts_end() {
    writer(false).set(KEY, Flux.just(bytes(3), bytes(6)), Precondition.NONE).block();
    writer(false).set(KEY, Flux.just(bytes(3), bytes(1)), Precondition.NONE).block();
    writer(false).set(KEY, Flux.<Bytes>empty(), Precondition.NONE).block();
    assertThat(sent)
        .containsSubsequence("begin", "end [1, 2, 3]", "put 4", "put 0")
        .contains("part 3 of 1");
  }

  @Test
  void a_conditional_write_is_in_parts_only_where_the_server_checks_it() {
    writer(false).set(KEY, bytes(11), Precondition.ABSENT).block();
    assertThat(sent).containsExactly("put 11 if absent");
    writer(true).set(KEY, bytes(11), Precondition.matches(new Version("\"v\""))).block();
    assertThat(sent).endsWith("end [1, 2, 3] if \"v\"");
  }

  @Test
  void a_refused_condition_says_what_was_wanted_and_a_weak_version_is_refused_at_once() {
    failure = new IllegalStateException("412");
    StepVerifier.create(writer(false).set(KEY, bytes(1), Precondition.ABSENT))
        .expectErrorSatisfies(
            e ->
                assertThat(e)
                    .isInstanceOf(PreconditionFailedException.class)
                    .hasMessageContaining("wanted to create the value; the answer is 412"))
        .verify();
    StepVerifier.create(
            writer(false).set(KEY, bytes(1), Precondition.matches(new Version("W/\"v\""))))
        .expectErrorSatisfies(e -> assertThat(e).hasMessageContaining("without a strong ETag"))
        .verify();
    assertThat(sent).containsExactly("put 1 if absent", "look");
  }

  private static final Precondition ON_V = Precondition.matches(new Version("\"v\""));

  private Throwable errorOfPut(Precondition precondition) {
    return catchThrowable(() -> writer(false).set(KEY, bytes(1), precondition).block());
  }

  private static Mono<ObjectWriter.Stored> stored(String tag, @Nullable String mark) {
    return Mono.just(new ObjectWriter.Stored(tag, mark));
  }

  @Test
  void the_mark_of_a_write_is_an_id_of_its_own_and_what_was_there_before() {
    writer(false).set(KEY, bytes(1), Precondition.NONE).block();
    writer(false).set(KEY, bytes(1), Precondition.ABSENT).block();
    writer(false).set(KEY, bytes(1), ON_V).block();
    Mono<Void> again = writer(false).set(KEY, bytes(1), ON_V);
    again.block();
    again.block();
    assertThat(marks).hasSize(5).doesNotHaveDuplicates();
    assertThat(marks.get(0)).isEmpty();
    assertThat(marks.get(1)).matches("[0-9a-f-]{36}/");
    assertThat(marks.get(2)).matches("[0-9a-f-]{36}/v");
    assertThat(sent).doesNotContain("look");
  }

  @Test
  void a_write_whose_answer_is_lost_finds_its_own_value() {
    for (String answer : List.of("503", "412")) {
      failure = new IllegalStateException(answer);
      look = Mono.fromSupplier(() -> new ObjectWriter.Stored("\"w\"", marks.get(0)));
      marks.clear();
      sent.clear();
      writer(false).set(KEY, bytes(1), ON_V).block();
      assertThat(sent).containsExactly("put 1 if \"v\"", "look");
    }
  }

  @Test
  void a_value_that_is_still_the_old_one_leaves_the_loss_which_may_pass() {
    failure = new IllegalStateException("503");
    look = stored("v", "id/u");
    assertThat(errorOfPut(ON_V))
        .isInstanceOf(TransientStoreException.class)
        .hasMessage("503 (key a/b)");
    look = Mono.empty();
    assertThat(errorOfPut(Precondition.ABSENT)).hasMessage("503 (key a/b)");
  }

  @Test
  void another_write_that_took_the_place_of_the_wanted_version_has_won() {
    failure = new IllegalStateException("503");
    look = stored("w", "id/v");
    assertThat(errorOfPut(ON_V))
        .isInstanceOf(PreconditionFailedException.class)
        .hasMessageContaining("the answer is lost, and the stored version is w");
    look = stored("w", "id/");
    assertThat(errorOfPut(Precondition.ABSENT)).isInstanceOf(PreconditionFailedException.class);
  }

  @Test
  void a_write_that_another_one_may_have_followed_is_unknown() {
    failure = new IllegalStateException("503");
    for (String mark : Arrays.asList("id/other", null)) {
      look = stored("w", mark);
      assertThat(errorOfPut(ON_V))
          .isInstanceOf(TransientStoreException.class)
          .hasMessageContaining("unknown: the value was changed again by another program");
    }
    look = Mono.empty();
    assertThat(errorOfPut(ON_V)).hasMessageContaining("unknown");
    look = Mono.error(new IllegalStateException("403"));
    assertThat(errorOfPut(ON_V))
        .isInstanceOf(TransientStoreException.class)
        .hasMessageContaining("unknown: the store could not look");
  }

  @Test
  void a_body_that_was_not_sent_to_its_end_has_lost_to_any_other_value() {
    failure = new IllegalStateException("503");
    isUnsent = true;
    look = stored("w", null);
    assertThat(errorOfPut(ON_V)).isInstanceOf(PreconditionFailedException.class);
  }

  @Test
  void nobody_looks_where_no_connection_was_made_or_the_answer_is_clear() {
    failure = new IllegalStateException("503", new ConnectException("Connection refused"));
    assertThat(errorOfPut(ON_V)).isInstanceOf(TransientStoreException.class);
    failure = new IllegalStateException("403");
    assertThat(errorOfPut(ON_V)).isExactlyInstanceOf(StoreException.class);
    failure = new IllegalStateException("503");
    assertThat(errorOfPut(Precondition.NONE)).isInstanceOf(TransientStoreException.class);
    assertThat(sent).doesNotContain("look");
  }

  @Test
  void nobody_looks_for_a_caller_that_finds_out_by_itself() {
    failure = new IllegalStateException("412");
    Mono<Void> write = writer(false).set(KEY, bytes(1), ON_V).contextWrite(OwnSettlement::write);
    assertThat(catchThrowable(write::block)).isInstanceOf(PreconditionFailedException.class);
    assertThat(sent).containsExactly("put 1 if \"v\"");
  }

  @Test
  void a_repeated_write_keeps_its_mark_by_which_a_late_first_one_is_found() {
    look =
        Mono.fromSupplier(
            () ->
                new ObjectWriter.Stored(
                    marks.size() == 1 ? "v" : "w", marks.size() == 1 ? null : marks.get(0)));
    failure = new IllegalStateException("503");
    UploadRetries twice =
        new UploadRetries() {
          @Override
          public <T> Mono<T> repeat(Mono<T> request) {
            return request.onErrorResume(
                e -> {
                  failure = new IllegalStateException("412");
                  return request;
                });
          }
        };
    writer(false)
        .set(KEY, bytes(1), ON_V)
        .contextWrite(context -> UploadRetries.write(context, twice))
        .block();
    assertThat(marks).hasSize(2);
    assertThat(marks.get(0)).isEqualTo(marks.get(1));
    assertThat(sent).containsExactly("put 1 if \"v\"", "look", "put 1 if \"v\"", "look");
  }

  @Test
  void an_upload_that_fails_is_discarded_and_the_error_of_the_source_is_its_own() {
    Flux<Bytes> source =
        Flux.concat(
            List.of(Flux.just(bytes(9)), Flux.error(new IllegalArgumentException("source"))));
    StepVerifier.create(writer(false).set(KEY, source, Precondition.NONE))
        .expectErrorSatisfies(
            e -> assertThat(e).isInstanceOf(IllegalArgumentException.class).hasMessage("source"))
        .verify();
    assertThat(sent).contains("begin").endsWith("discard");
  }
}
