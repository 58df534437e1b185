package dev.zarrreactive.internal.objects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Version;
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
    public Mono<String> begin(StoreKey key) {
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
      return new StoreException("" + error.getMessage(), ObjectNames.at(key));
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
    assertThat(sent).hasSize(1);
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
