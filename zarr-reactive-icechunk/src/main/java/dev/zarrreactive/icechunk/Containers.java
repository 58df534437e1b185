package dev.zarrreactive.icechunk;

import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The containers of virtual chunks in a configuration. */
final class Containers {
  private Containers() {}

  /** Returns the containers that have a prefix. What else stands there is of no use to a reader. */
  static List<IcechunkContainer> of(JsonObject config) {
    List<IcechunkContainer> containers = new ArrayList<>();
    JsonValue all = config.get("virtual_chunk_containers");
    if (all instanceof JsonObject byPrefix) {
      byPrefix.members().forEach((prefix, value) -> add(containers, prefix, value));
    } else if (all instanceof JsonArray list) {
      list.elements().forEach(value -> add(containers, "", value));
    }
    return containers;
  }

  private static void add(List<IcechunkContainer> containers, String place, JsonValue value) {
    if (value instanceof JsonObject container) {
      String given = container.string("url_prefix").orElse(place);
      String prefix = given.endsWith("/") ? given : given + "/";
      if (prefix.contains("://")) {
        containers.add(
            new IcechunkContainer(
                prefix, container.string("name").orElse(null), store(container.get("store"))));
      }
    }
  }

  private static JsonObject store(@Nullable JsonValue store) {
    if (store instanceof JsonObject object) {
      return object;
    }
    return store instanceof JsonString kind
        ? JsonObject.EMPTY.with(kind.value(), JsonObject.EMPTY)
        : JsonObject.EMPTY;
  }
}
