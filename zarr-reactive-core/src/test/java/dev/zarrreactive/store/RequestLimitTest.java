package dev.zarrreactive.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import reactor.util.context.Context;

class RequestLimitTest {
  @Test
  void a_request_that_is_cancelled_between_its_permit_and_its_beginning_is_not_counted() {
    for (RequestLimit limit :
        new RequestLimit[] {RequestLimit.fixed(2), RequestLimit.adaptive(2)}) {
      RequestLimit.Turn turn = limit.turn(Context.empty());
      turn.release();
      turn.begin();
      assertThat(limit.underWay()).isZero();
    }
  }

  @Test
  void a_request_is_counted_from_its_beginning_to_its_end() {
    RequestLimit limit = RequestLimit.fixed(2);
    RequestLimit.Turn turn = limit.turn(Context.empty());
    turn.begun().block();
    assertThat(limit.underWay()).isEqualTo(1);
    turn.answered();
    turn.release();
    assertThat(limit.underWay()).isZero();
    assertThat(limit.permits().available()).isEqualTo(2);
  }
}
