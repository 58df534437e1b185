package dev.zarrreactive.hierarchy;

import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrNode;
import org.testng.annotations.Test;
import reactor.core.publisher.Flux;

@Test
public class ChildrenTckTest extends NodeStreamVerification {
  @Override
  String path(int i) {
    return "g" + i;
  }

  @Override
  Flux<ZarrNode> stream(ZarrGroup group) {
    return group.children();
  }
}
