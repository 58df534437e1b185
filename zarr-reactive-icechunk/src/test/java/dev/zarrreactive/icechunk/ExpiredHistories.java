package dev.zarrreactive.icechunk;

import static dev.zarrreactive.testing.Waiting.await;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/** Histories as lists, and the rules of expiration in the plainest words. */
final class ExpiredHistories {
  final Map<String, String> tips = new HashMap<>();
  final Map<String, Instant> times = new HashMap<>();
  final Map<String, @Nullable String> parents = new HashMap<>();

  ExpiredHistories(IcechunkRepository repository) {
    await(repository.branches()).forEach(ref -> tips.put("branch " + ref.name(), ref.snapshot()));
    await(repository.tags()).forEach(ref -> tips.put("tag " + ref.name(), ref.snapshot()));
    for (String tip : tips.values()) {
      for (IcechunkSnapshot each :
          await(Flux.defer(() -> repository.history(IcechunkVersion.snapshot(tip))))) {
        times.put(each.id(), each.time());
        parents.put(each.id(), each.parent());
      }
    }
  }

  private boolean isOld(String snapshot, Instant bound) {
    return parents.get(snapshot) != null && times.get(snapshot).isBefore(bound);
  }

  void expire(Instant bound, boolean branches, boolean tags) {
    TreeSet<String> kept = new TreeSet<>();
    Map<String, String> staying = new HashMap<>();
    tips.forEach(
        (name, tip) -> {
          boolean goes =
              isOld(tip, bound)
                  && !name.equals("branch main")
                  && (name.startsWith("tag ") ? tags : branches);
          if (!goes) {
            staying.put(name, tip);
          }
          boolean isProtected =
              name.startsWith("tag ") ? !tags : !branches || name.equals("branch main");
          if (isProtected) {
            kept.add(tip);
          }
        });
    parents.keySet().stream().filter(each -> !isOld(each, bound)).forEach(kept::add);
    Map<String, @Nullable String> after = new HashMap<>();
    for (String each : kept) {
      String parent = parents.get(each);
      after.put(each, parent == null || kept.contains(parent) ? parent : "1CECHNKREP0F1RSTCMT0");
    }
    tips.clear();
    tips.putAll(staying);
    parents.clear();
    parents.putAll(after);
  }

  Map<String, List<String>> histories() {
    Map<String, List<String>> histories = new HashMap<>();
    tips.forEach(
        (name, tip) -> {
          List<String> history = new ArrayList<>();
          for (String at = tip; at != null; at = parents.get(at)) {
            history.add(at);
          }
          histories.put(name, history);
        });
    return histories;
  }
}
