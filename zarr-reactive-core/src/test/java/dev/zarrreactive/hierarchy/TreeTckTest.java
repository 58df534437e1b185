package dev.zarrreactive.hierarchy;

import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrNode;
import org.testng.annotations.Test;
import reactor.core.publisher.Flux;

@Test
public class TreeTckTest extends NodeStreamVerification {
  /** Three nodes below each. */
  @Override
  String path(int i) {
    return i == 0 ? "g0" : path((i - 1) / 3) + "/g" + i;
  }

  @Override
  Flux<ZarrNode> stream(ZarrGroup group) {
    return group.tree();
  }
}
