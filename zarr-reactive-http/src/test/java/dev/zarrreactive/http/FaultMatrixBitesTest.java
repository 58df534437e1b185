package dev.zarrreactive.http;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.faults.Connected;
import dev.zarrreactive.faults.Occurrence;
import dev.zarrreactive.faults.Place;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.VersionedBytes;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.netty.http.HttpProtocol;

/** Stores with a mistake, which the matrix finds. */
class FaultMatrixBitesTest {
  /** The patience with a condition that a mistake never lets come true. */
  private static final Duration SHORT_PATIENCE = Duration.ofSeconds(4);

  /** What is right takes a small part of the short patience, once all classes are loaded. */
  @BeforeAll
  static void load() {
    of(answer -> answer).check("silence", Place.CHUNK, Occurrence.CANCELLED);
    of(answer -> answer).check("403", Place.SHARD_INDEX, Occurrence.ONCE);
  }

  /** Returns the matrix of a store that changes every read. */
  private static HttpMatrix of(UnaryOperator<Mono<VersionedBytes>> mistake) {
    return of(Duration.ofMinutes(1), mistake);
  }

  private static HttpMatrix of(Duration patience, UnaryOperator<Mono<VersionedBytes>> mistake) {
    return new HttpMatrix(HttpProtocol.HTTP11) {
      @Override
      protected Duration patience() {
        return patience;
      }

      @Override
      protected Connected connect(FaultyServer server, Duration stallTimeout) {
        Connected right = super.connect(server, stallTimeout);
        return right.behind(new Mistaken(right.store(), mistake));
      }
    };
  }

  private static final class Mistaken extends DelegatingStore {
    private final UnaryOperator<Mono<VersionedBytes>> mistake;

    Mistaken(Store delegate, UnaryOperator<Mono<VersionedBytes>> mistake) {
      super(delegate);
      this.mistake = mistake;
    }

    @Override
    public Mono<Bytes> get(StoreKey key) {
      return getVersioned(key, null, ReadCondition.ALWAYS).map(VersionedBytes::bytes);
    }

    @Override
    public Mono<Bytes> get(StoreKey key, ByteRange range) {
      return getVersioned(key, range, ReadCondition.ALWAYS).map(VersionedBytes::bytes);
    }

    @Override
    public Mono<VersionedBytes> getVersioned(
        StoreKey key, ByteRange range, ReadCondition condition) {
      return mistake.apply(delegate().getVersioned(key, range, condition));
    }
  }

  @Test
  void without_a_mistake_it_passes() {
    HttpMatrix matrix = of(answer -> answer);
    for (Place place : Place.values()) {
      assertThatCode(() -> matrix.check("503", place, Occurrence.ALWAYS))
          .doesNotThrowAnyException();
    }
  }

  @Test
  void failures_that_are_taken_for_missing_values() {
    HttpMatrix matrix = of(answer -> answer.onErrorComplete(StoreException.class));
    for (String fault : new String[] {"503", "403", "body cut", "silence"}) {
      assertThatThrownBy(() -> matrix.check(fault, Place.CHUNK, Occurrence.ALWAYS))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("an error, not values that begin with");
    }
  }

  @Test
  void errors_that_are_not_transient_or_name_another_key() {
    HttpMatrix lasting = of(answer -> answer.onErrorMap(e -> new StoreException("no", KEY)));
    assertThatThrownBy(() -> lasting.check("503", Place.INNER_CHUNK, Occurrence.ALWAYS))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("not TRANSIENT but");
    HttpMatrix elsewhere =
        of(answer -> answer.onErrorMap(e -> new TransientStoreException("no", KEY)));
    assertThatThrownBy(() -> elsewhere.check("503", Place.CHUNK, Occurrence.ONCE))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("the key of");
  }

  private static final Location KEY = Location.ofKey("elsewhere");

  @Test
  void requests_that_outlive_their_reader() {
    HttpMatrix matrix =
        of(
            SHORT_PATIENCE,
            answer ->
                Mono.create(sink -> answer.subscribe(sink::success, sink::error, sink::success)));
    assertThatThrownBy(() -> matrix.check("silence", Place.CHUNK, Occurrence.CANCELLED))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("under way");
  }

  @Test
  void reads_that_never_end() {
    HttpMatrix matrix =
        of(SHORT_PATIENCE, answer -> answer.onErrorResume(e -> Mono.delay(PAST).then(answer)));
    assertThatThrownBy(() -> matrix.check("403", Place.SHARD_INDEX, Occurrence.ONCE))
        .hasMessageContaining("no result after PT4S");
  }

  private static final Duration PAST = Duration.ofMinutes(1);
}
