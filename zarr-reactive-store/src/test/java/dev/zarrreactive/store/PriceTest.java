package dev.zarrreactive.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PriceTest {
  @Test
  void a_read_costs_its_requests_its_bytes_and_its_time() {
    Price price = Price.of(0.4, 90, 36); // of a dollar list: a million, a gigabyte, an hour
    assertThat(price.total(1_000_000, 0, Duration.ZERO)).isCloseTo(0.4, within(1e-12));
    assertThat(price.total(0, 1_000_000_000, Duration.ZERO)).isCloseTo(90, within(1e-9));
    assertThat(price.total(0, 0, Duration.ofMinutes(5))).isCloseTo(3, within(1e-9));
    assertThat(price.total(500_000, 500_000_000, Duration.ofHours(1)))
        .isCloseTo(0.2 + 45 + 36, within(1e-9));
  }

  @Test
  void a_number_that_is_no_price_is_refused() {
    for (double wrong : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> Price.of(wrong, 0, 0)).hasMessageStartingWith("not a price: ");
      assertThatThrownBy(() -> Price.of(0, wrong, 0)).hasMessageStartingWith("not a price: ");
      assertThatThrownBy(() -> Price.of(0, 0, wrong)).hasMessageStartingWith("not a price: ");
    }
  }

  @Test
  void a_policy_keeps_its_price() {
    Price price = Price.of(0.4, 0.09, 0.1);
    assertThat(Coalescing.cheapest(price).price()).isEqualTo(price);
    assertThat(Coalescing.cheapest(price)).isEqualTo(Coalescing.cheapest(Price.of(0.4, 0.09, 0.1)));
    assertThat(Coalescing.adaptive().price()).isNull();
  }
}
