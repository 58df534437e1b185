package dev.zarrreactive.hierarchy;

import static dev.zarrreactive.hierarchy.Documents.put;
import static dev.zarrreactive.hierarchy.Documents.putArray;
import static dev.zarrreactive.hierarchy.Documents.putGroup;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.UnreadableNode;
import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import reactor.core.publisher.Flux;

/** Listing random hierarchies. */
class TreePropertyTest {
  /** A hierarchy as lists of paths, level by level, with all sorts of things between. */
  record RandomTree(Store store, List<List<String>> levels) {
    private static final String[] NAMES = {"a", "b", "c", "0", "with space", "é", "A"};

    static RandomTree of(Random random) {
      RandomTree tree = new RandomTree(MemoryStore.create(), new ArrayList<>());
      putGroup(tree.store, "");
      tree.grow("", 0, random);
      return tree;
    }

    private void grow(String group, int level, Random random) {
      if (levels.size() == level) {
        levels.add(new ArrayList<>());
      }
      for (String name : NAMES) {
        String path = group.isEmpty() ? name : group + "/" + name;
        int kind = random.nextInt(level < 3 ? 6 : 4);
        if (kind == 0) { // an array, with something in it that looks like a node
          levels.get(level).add("/" + path);
          putArray(store, path);
          put(store, path + "/c/0", "chunk");
          putGroup(store, path + "/c");
        } else if (kind == 1) { // no node
          put(store, path + "/notes.txt", "text");
          putGroup(store, path + "/below");
        } else if (kind > 3) {
          levels.get(level).add("/" + path);
          putGroup(store, path);
          grow(path, level + 1, random);
        }
      }
      String prefix = group.isEmpty() ? "" : group + "/";
      putGroup(store, prefix + "__reserved");
      putGroup(store, prefix + "__reserved/below");
      put(store, prefix + "README", "text");
    }

    List<String> all() {
      return levels.stream().flatMap(List::stream).toList();
    }

    @Override
    public String toString() {
      return levels.toString();
    }
  }

  @Provide
  Arbitrary<RandomTree> trees() {
    return Arbitraries.randomValue(RandomTree::of);
  }

  @Property(tries = 100)
  void the_tree_is_every_node_level_by_level(@ForAll("trees") RandomTree tree) {
    List<String> found = paths(root(tree).tree().filter(TreePropertyTest::isReadable));
    assertThat(found).containsExactlyInAnyOrderElementsOf(tree.all());
    int from = 0;
    for (List<String> level : tree.levels()) {
      assertThat(found.subList(from, from + level.size()))
          .containsExactlyInAnyOrderElementsOf(level);
      from += level.size();
    }
    assertThat(paths(root(tree).tree().ofType(UnreadableNode.class).cast(ZarrNode.class)))
        .as("a reserved name in each group")
        .allMatch(path -> path.endsWith("/__reserved"))
        .hasSize(1 + groups(tree));
    assertThat(paths(root(tree).children().filter(TreePropertyTest::isReadable)))
        .containsExactlyInAnyOrderElementsOf(tree.levels().get(0));
  }

  private static boolean isReadable(ZarrNode node) {
    return !(node instanceof UnreadableNode);
  }

  private static int groups(RandomTree tree) {
    return (int)
        root(tree).tree().filter(node -> node instanceof ZarrGroup).count().block().longValue();
  }

  private static ZarrGroup root(RandomTree tree) {
    return Zarr.hierarchy(tree.store()).openGroup("/").block();
  }

  private static List<String> paths(Flux<ZarrNode> nodes) {
    return nodes.map(node -> node.path().value()).collectList().block();
  }
}
