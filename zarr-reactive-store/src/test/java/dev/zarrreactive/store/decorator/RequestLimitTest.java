package dev.zarrreactive.store.decorator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.AbstractStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.context.Context;

class RequestLimitTest {
  @Test
  void a_request_that_is_cancelled_between_its_permit_and_its_beginning_is_not_counted() {
    for (RequestLimit limit :
        new RequestLimit[] {RequestLimit.fixed(2), RequestLimit.adaptive(2)}) {
      RequestLimit.Ticket ticket = limit.ticket(Context.empty());
      ticket.release();
      ticket.begin();
      assertThat(limit.underWay()).isZero();
    }
  }

  @Test
  void a_request_is_counted_from_its_beginning_to_its_end() {
    RequestLimit limit = RequestLimit.fixed(2);
    RequestLimit.Ticket ticket = limit.ticket(Context.empty());
    ticket.await().block();
    assertThat(limit.underWay()).isEqualTo(1);
    ticket.answered();
    ticket.release();
    assertThat(limit.underWay()).isZero();
    assertThat(limit.permits().available()).isEqualTo(2);
  }

  @Test
  void a_small_operation_does_not_wait_for_all_of_a_large_one() {
    List<String> asked = new ArrayList<>();
    List<Sinks.Empty<Bytes>> answers = new ArrayList<>();
    Store server =
        new AbstractStore() {
          @Override
          public Set<StoreCapability> capabilities() {
            return Set.of(StoreCapability.READ);
          }

          @Override
          public Mono<Bytes> get(StoreKey key) {
            return Mono.defer(
                () -> {
                  asked.add(key.value());
                  Sinks.Empty<Bytes> answer = Sinks.empty();
                  answers.add(answer);
                  return answer.asMono();
                });
          }
        };
    Store limited = Stores.limited(server, 2);
    Disposable large = operation(limited, "large", 100);
    Disposable small = operation(limited, "small", 2);
    for (int i = 0; i < 6; i++) {
      answers.get(i).tryEmitEmpty();
    }
    assertThat(asked.subList(0, 7)).contains("small/0", "small/1").contains("large/2", "large/3");
    large.dispose();
    small.dispose();
  }

  private static Disposable operation(Store store, String name, int requests) {
    return Flux.range(0, requests)
        .flatMap(i -> store.get(StoreKey.of(name + "/" + i)), 64)
        .contextWrite((Context context) -> context.put(RequestLimit.OPERATION, new Object()))
        .subscribe();
  }
}
