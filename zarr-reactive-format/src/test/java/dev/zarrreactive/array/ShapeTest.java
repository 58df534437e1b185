package dev.zarrreactive.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;

class ShapeTest {

  @Test
  void a_scalar_has_no_dimension_and_one_element() {
    assertThat(Shape.SCALAR.rank()).isZero();
    assertThat(Shape.SCALAR.elementCount()).isEqualTo(BigInteger.ONE);
    assertThat(Shape.SCALAR.isEmpty()).isFalse();
    assertThat(Shape.of()).isEqualTo(Shape.SCALAR).hasSameHashCodeAs(Shape.SCALAR);
  }

  @Test
  void an_extent_may_be_zero_but_not_negative() {
    assertThat(Shape.of(3, 0).isEmpty()).isTrue();
    assertThat(Shape.of(3, 0).byteSize(8)).isZero();
    assertThatThrownBy(() -> Shape.of(3, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("negative extent in [3, -1]");
  }

  @Test
  void the_number_of_elements_may_be_more_than_a_long_holds() {
    Shape shape = Shape.of(Long.MAX_VALUE, Long.MAX_VALUE);
    assertThat(shape.elementCount())
        .isEqualTo(BigInteger.valueOf(Long.MAX_VALUE).multiply(BigInteger.valueOf(Long.MAX_VALUE)));
    assertThat(Shape.of(Long.MAX_VALUE, 0).elementCount()).isZero();
  }

  @Test
  void more_than_one_java_array_holds_is_refused_with_a_way_out() {
    assertThat(Shape.of(1L << 28).byteSize(4)).isEqualTo(1 << 30);
    assertThatThrownBy(() -> Shape.of(1L << 29).byteSize(4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[536870912]")
        .hasMessageContaining("2147483648 bytes")
        .hasMessageContaining("chunks(selection)");
    assertThatThrownBy(() -> Shape.of(Long.MAX_VALUE, 3).byteSize(4))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void extents_are_copied() {
    long[] extents = {2, 3};
    Shape shape = Shape.of(extents);
    extents[0] = 9;
    shape.toArray()[1] = 9;
    assertThat(shape).isEqualTo(Shape.of(2, 3)).hasToString("[2, 3]");
    assertThat(shape.extent(1)).isEqualTo(3);
  }
}
