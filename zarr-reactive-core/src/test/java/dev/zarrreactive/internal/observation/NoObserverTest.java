package dev.zarrreactive.internal.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.observation.RangeRequest;
import dev.zarrreactive.observation.ZarrOperation.Kind;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Without an observer nothing is measured, and no operator is added. */
class NoObserverTest {
  private final Instrumentation nobody = new Instrumentation(null);

  @Test
  void publishers_stores_and_functions_are_returned_as_they_are() {
    Mono<String> one = Mono.just("1");
    Flux<String> many = Flux.just("1", "2");
    Store store = MemoryStore.create();
    Function<Bytes, String> decode = Bytes::toString;
    assertThat(nobody.of(Kind.READ, "/a", one)).isSameAs(one);
    assertThat(nobody.of(Kind.READ_CHUNKS, "/a", many)).isSameAs(many);
    assertThat(nobody.requests(store)).isSameAs(store);
    assertThat(nobody.decoding(8, decode)).isSameAs(decode);
    RangeRequest request = new RangeRequest(2, 20, 4);
    assertThat(nobody.rangeRequest(() -> request, one)).isSameAs(one);
  }
}
