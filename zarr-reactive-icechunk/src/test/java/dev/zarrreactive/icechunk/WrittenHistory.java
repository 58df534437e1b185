package dev.zarrreactive.icechunk;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Store;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;

/** A random history that sessions write, beside a naive model of it. */
final class WrittenHistory {
  private static final int MOST_AXIS = 9;

  private final Random random;
  private final Store place;
  private final Map<String, Map<String, int[]>> branches = new TreeMap<>();
  private final Map<String, Map<String, int[]>> snapshots = new LinkedHashMap<>();
  private final Map<String, String> tags = new TreeMap<>();
  private IcechunkRepository repository;
  private int made;

  WrittenHistory(Store place, long seed) {
    this.random = new Random(seed);
    this.place = place;
    this.repository = TestRepositories.create(place, config());
    branches.put("main", new TreeMap<>());
    snapshots.put("1CECHNKREP0F1RSTCMT0", new TreeMap<>());
  }

  private JsonObject config() {
    JsonObject config =
        JsonObject.EMPTY.with(
            "inline_chunk_threshold_bytes", List.of(0, 4, 512).get(random.nextInt(3)));
    if (random.nextBoolean()) {
      return config;
    }
    JsonValue axes =
        JsonArray.of(
            JsonObject.EMPTY
                .with("condition", JsonObject.EMPTY.with("Axis", 0))
                .with("num_chunks", 1 + random.nextInt(3)),
            JsonObject.EMPTY.with("condition", "Any").with("num_chunks", 1 + random.nextInt(3)));
    JsonValue some =
        JsonObject.EMPTY.with("name_matches", JsonObject.EMPTY.with("regex", "[0-4]$"));
    JsonValue rule = random.nextBoolean() ? new JsonString("any_array") : some;
    return config.with(
        "manifest",
        JsonObject.EMPTY.with(
            "splitting",
            JsonObject.EMPTY.with("split_sizes", JsonArray.of(JsonArray.of(rule, axes)))));
  }

  /** Writes some commits; checks each. */
  void write(int commits) {
    for (int i = 0; i < commits; i++) {
      String branch = List.copyOf(branches.keySet()).get(random.nextInt(branches.size()));
      commit(branch);
      if (random.nextInt(4) == 0) {
        changeRefs();
      }
    }
  }

  private void commit(String branch) {
    IcechunkSession session = await(repository.session(branch));
    TreeMap<String, int[]> model = new TreeMap<>(branches.get(branch));
    int changes = 1 + random.nextInt(6);
    for (int i = 0; i < changes; i++) {
      change(session, model);
      check(session, model);
    }
    if (!session.hasChanges()) {
      return;
    }
    if (random.nextInt(8) == 0) {
      await(session.discard());
      return;
    }
    String id = await(session.commit("commit " + snapshots.size(), metadata()));
    branches.put(branch, model);
    snapshots.put(id, model);
    repository = await(repository.refresh());
    check(await(repository.store(IcechunkVersion.branch(branch))), model);
  }

  private JsonObject metadata() {
    return random.nextBoolean()
        ? JsonObject.EMPTY
        : JsonObject.EMPTY
            .with("number", new JsonNumber("0.5"))
            .with("ü", JsonArray.of(JsonNumber.of(-3), new JsonString("text")))
            .with("nested", JsonObject.EMPTY.with("b", true).with("a", 1L << 40));
  }

  private void changeRefs() {
    String id = List.copyOf(snapshots.keySet()).get(random.nextInt(snapshots.size()));
    IcechunkVersion version = IcechunkVersion.snapshot(id);
    String name = "b" + random.nextInt(3);
    if (random.nextBoolean()) {
      String tag = "tag " + snapshots.size() + "-" + made++;
      repository = await(repository.createTag(tag, version));
      tags.put(tag, id);
      if (random.nextInt(3) == 0) {
        repository = await(repository.deleteTag(tag));
        tags.remove(tag);
      }
    } else if (!branches.containsKey(name)) {
      repository = await(repository.createBranch(name, version));
      branches.put(name, snapshots.get(id));
    } else if (random.nextBoolean()) {
      repository = await(repository.deleteBranch(name));
      branches.remove(name);
    } else {
      repository = await(repository.resetBranch(name, version));
      branches.put(name, snapshots.get(id));
    }
  }

  // A node of the model: null for a group is not storable in a TreeMap copy, so that a group is an
  // empty array, and an array is its shape, its rank first, and its elements.

  private void change(IcechunkSession session, TreeMap<String, int[]> model) {
    ZarrHierarchy hierarchy = Zarr.hierarchy(session);
    List<String> arrays =
        model.keySet().stream().filter(path -> model.get(path).length > 0).toList();
    int kind = random.nextInt(10);
    if (arrays.isEmpty() || kind < 2) {
      create(hierarchy, model);
    } else if (kind == 2) {
      List<String> all = List.copyOf(model.keySet());
      String path = all.get(random.nextInt(all.size()));
      await(hierarchy.erase(path));
      model.keySet().removeIf(each -> each.equals(path) || each.startsWith(path + "/"));
    } else {
      String path = arrays.get(random.nextInt(arrays.size()));
      ZarrArray array = await(hierarchy.openArray(path));
      if (kind < 7) {
        write(array, path, model);
      } else if (kind == 7) {
        eraseChunk(session, array, path, model);
      } else {
        resize(array, path, model);
      }
    }
  }

  private void create(ZarrHierarchy hierarchy, TreeMap<String, int[]> model) {
    List<String> groups =
        new ArrayList<>(
            model.keySet().stream().filter(path -> model.get(path).length == 0).toList());
    groups.add("");
    String path =
        groups.get(random.nextInt(groups.size()))
            + "/"
            + List.of("n", "ü", "c", "a-b").get(random.nextInt(4))
            + made++;
    if (random.nextInt(4) == 0) {
      await(hierarchy.createGroup(path));
      addGroups(path, model);
      model.put(path, new int[0]);
      return;
    }
    int rank = random.nextInt(4);
    long[] shape = new long[rank];
    long[] chunks = new long[rank];
    for (int axis = 0; axis < rank; axis++) {
      shape[axis] = random.nextInt(MOST_AXIS);
      chunks[axis] = 1 + random.nextInt(3);
    }
    await(
        hierarchy.createArray(
            path,
            ArrayMetadata.v3(Shape.of(shape), DataTypes.INT32)
                .chunkShape(chunks)
                .dimensionNames(
                    Arrays.stream(shape)
                        .mapToObj(n -> n > 4 ? "x" + n : null)
                        .toArray(String[]::new))
                .build()));
    addGroups(path, model);
    model.put(path, node(shape));
  }

  private static void addGroups(String path, TreeMap<String, int[]> model) {
    for (int slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      model.putIfAbsent(path.substring(0, slash), new int[0]);
    }
  }

  private static int[] node(long[] shape) {
    int[] node = new int[1 + shape.length + (int) Arrays.stream(shape).reduce(1, (a, b) -> a * b)];
    node[0] = shape.length;
    for (int axis = 0; axis < shape.length; axis++) {
      node[1 + axis] = (int) shape[axis];
    }
    // an array has at least one number, a group none
    return node;
  }

  private static long[] shape(int[] node) {
    return Arrays.stream(node, 1, 1 + node[0]).asLongStream().toArray();
  }

  private static int place(int[] node, long[] at) {
    int place = 0;
    for (int axis = 0; axis < at.length; axis++) {
      place = place * node[1 + axis] + (int) at[axis];
    }
    return 1 + node[0] + place;
  }

  /** Calls an action for each index in a box. */
  private static void each(long[] from, long[] to, java.util.function.Consumer<long[]> action) {
    long[] at = from.clone();
    for (int axis = 0; axis < at.length; axis++) {
      if (from[axis] >= to[axis]) {
        return;
      }
    }
    while (true) {
      action.accept(at);
      int axis = at.length - 1;
      while (axis >= 0 && ++at[axis] == to[axis]) {
        at[axis] = from[axis];
        axis--;
      }
      if (axis < 0) {
        return;
      }
    }
  }

  private void write(ZarrArray array, String path, TreeMap<String, int[]> model) {
    int[] node = model.get(path).clone();
    long[] shape = shape(node);
    if (Arrays.stream(shape).anyMatch(extent -> extent == 0)) {
      return;
    }
    long[] from = new long[shape.length];
    long[] to = new long[shape.length];
    StringBuilder selection = new StringBuilder();
    for (int axis = 0; axis < shape.length; axis++) {
      from[axis] = random.nextInt((int) shape[axis]);
      to[axis] = from[axis] + 1 + random.nextInt((int) (shape[axis] - from[axis]));
      selection.append(axis == 0 ? "" : ",").append(from[axis]).append(':').append(to[axis]);
    }
    int value = random.nextInt(5) == 0 ? 0 : random.nextInt(1000);
    if (shape.length == 0) {
      await(array.write("...", NdArray.ofInts(DataTypes.INT32, Shape.of(), value)));
    } else {
      await(
          array.write(
              dev.zarrreactive.array.selection.Selection.parse(selection.toString()), value));
    }
    each(from, to, at -> node[place(node, at)] = value);
    model.put(path, node);
  }

  private void eraseChunk(
      IcechunkSession session, ZarrArray array, String path, TreeMap<String, int[]> model) {
    int[] node = model.get(path).clone();
    long[] shape = shape(node);
    if (Arrays.stream(shape).anyMatch(extent -> extent == 0)) {
      return;
    }
    long[] index = new long[shape.length];
    long[] from = new long[shape.length];
    long[] to = new long[shape.length];
    StringBuilder key = new StringBuilder(path.substring(1)).append("/c");
    for (int axis = 0; axis < shape.length; axis++) {
      index[axis] = random.nextInt((int) array.chunkGrid().gridShape().extent(axis));
      key.append('/').append(index[axis]);
    }
    long[] start = array.chunkGrid().chunkStart(index);
    for (int axis = 0; axis < shape.length; axis++) {
      from[axis] = start[axis];
      to[axis] =
          Math.min(shape[axis], start[axis] + array.chunkGrid().chunkShape(index).extent(axis));
    }
    await(session.erase(StoreKey.of(key.toString())));
    each(from, to, at -> node[place(node, at)] = 0);
    model.put(path, node);
  }

  private void resize(ZarrArray array, String path, TreeMap<String, int[]> model) {
    int[] node = model.get(path);
    long[] shape = shape(node);
    if (shape.length == 0) {
      return;
    }
    long[] next = shape.clone();
    int axis = random.nextInt(shape.length);
    int value = random.nextInt(1000);
    boolean isAppend = random.nextBoolean() && Arrays.stream(shape).allMatch(extent -> extent > 0);
    next[axis] = isAppend ? shape[axis] + 1 + random.nextInt(3) : random.nextInt(MOST_AXIS);
    int[] after = node(next);
    long[] common = new long[shape.length];
    Arrays.setAll(common, each -> Math.min(shape[each], next[each]));
    if (isAppend) {
      long[] block = shape.clone();
      block[axis] = next[axis] - shape[axis];
      int[] values = new int[(int) Arrays.stream(block).reduce(1, (a, b) -> a * b)];
      Arrays.fill(values, value);
      await(array.append(axis, NdArray.ofInts(DataTypes.INT32, Shape.of(block), values)));
      long[] from = new long[shape.length];
      from[axis] = shape[axis];
      each(from, next, at -> after[place(after, at)] = value);
    } else {
      await(array.resize(Shape.of(next)));
    }
    each(new long[shape.length], common, at -> after[place(after, at)] = node[place(node, at)]);
    model.put(path, after);
  }

  // ---- comparing

  /**
   * Compares all nodes and elements in a store with the model, and its listings with each other.
   */
  private static void check(Store store, Map<String, int[]> model) {
    TreeSet<String> keys = new TreeSet<>();
    await(store.list()).forEach(key -> assertThat(keys.add(key.value())).as("%s", key).isTrue());
    TreeSet<String> nodes = new TreeSet<>();
    keys.stream()
        .filter(key -> key.endsWith("/zarr.json"))
        .forEach(key -> nodes.add("/" + key.substring(0, key.length() - "/zarr.json".length())));
    assertThat(nodes).isEqualTo(model.keySet());
    PythonAnswers.checkListings(store, keys, StorePrefix.ROOT);
    ZarrHierarchy hierarchy = Zarr.hierarchy(store);
    model.forEach(
        (path, node) -> {
          if (node.length > 0) {
            NdArray read = await(await(hierarchy.openArray(path)).read());
            assertThat(read.shape()).as(path).isEqualTo(Shape.of(shape(node)));
            assertThat(read.toIntArray())
                .as("%s in %s", path, store)
                .isEqualTo(Arrays.copyOfRange(node, 1 + node[0], node.length));
          }
        });
  }

  /** Reads every snapshot as another program would, and compares it with the model. */
  void checkAll() {
    IcechunkRepository fresh = await(Icechunk.open(place));
    assertThat(await(fresh.branches()).stream().map(IcechunkRef::name).toList())
        .containsExactlyElementsOf(branches.keySet());
    Map<String, String> found = new TreeMap<>();
    await(fresh.tags()).forEach(tag -> found.put(tag.name(), tag.snapshot()));
    assertThat(found).isEqualTo(tags);
    snapshots.forEach(
        (id, model) -> check(await(fresh.store(IcechunkVersion.snapshot(id))), model));
    assertThat(await(fresh.checkHistory())).isEmpty();
  }

  /** Forgets what a cleanup has removed. */
  void forget(IcechunkCleaned cleaned) {
    branches.keySet().removeAll(cleaned.branches());
    tags.keySet().removeAll(cleaned.tags());
    repository = await(repository.refresh());
    java.util.Set<String> reachable = new java.util.HashSet<>();
    for (IcechunkRef ref :
        await(
            reactor.core.publisher.Flux.concat(
                List.of(repository.branches(), repository.tags())))) {
      await(repository.history(IcechunkVersion.snapshot(ref.snapshot())))
          .forEach(each -> reachable.add(each.id()));
    }
    snapshots.keySet().retainAll(reachable);
  }

  /** What another program is to find in each snapshot. */
  JsonObject answers() {
    JsonObject all = JsonObject.EMPTY;
    for (Map.Entry<String, Map<String, int[]>> snapshot : snapshots.entrySet()) {
      JsonObject nodes = JsonObject.EMPTY;
      for (Map.Entry<String, int[]> node : snapshot.getValue().entrySet()) {
        nodes =
            nodes.with(
                node.getKey(),
                JsonArray.ofIntegers(Arrays.stream(node.getValue()).asLongStream().toArray()));
      }
      all = all.with(snapshot.getKey(), nodes);
    }
    JsonObject refs = JsonObject.EMPTY;
    for (Map.Entry<String, String> tag : tags.entrySet()) {
      refs = refs.with(tag.getKey(), tag.getValue());
    }
    JsonObject histories = JsonObject.EMPTY;
    IcechunkRepository fresh = await(Icechunk.open(place));
    for (String branch : branches.keySet()) {
      List<JsonValue> history = new ArrayList<>();
      for (IcechunkSnapshot each : await(fresh.history(IcechunkVersion.branch(branch)))) {
        String parent = each.parent() == null ? "" : each.parent();
        history.add(
            JsonArray.of(
                new JsonString(each.id()), new JsonString(parent), new JsonString(each.message())));
      }
      histories = histories.with(branch, new JsonArray(history));
    }
    return JsonObject.EMPTY
        .with("history", histories)
        .with("snapshots", all)
        .with("tags", refs)
        .with(
            "branches",
            new JsonArray(branches.keySet().stream().<JsonValue>map(JsonString::new).toList()));
  }
}
