package dev.zarrreactive.house;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.zarrreactive.house.MethodCode.Call;
import dev.zarrreactive.house.MethodCode.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * While a method holds a monitor, or the lock of a concurrent map's entry, neither it nor a method
 * of ours that it calls tells a sink or a subscriber anything, requests, cancels or subscribes. Any
 * of these runs code of others, which may wait for another monitor, or come back for this one.
 */
final class CallNoForeignCodeUnderALock extends ArchCondition<JavaClass> {
  private static final String OURS = "dev/zarrreactive/";
  private static final Set<String> SIGNALS =
      Set.of("onSubscribe", "onNext", "onError", "onComplete");
  private static final Set<String> OF_SINKS = Set.of("success", "error", "next", "complete");

  private final Map<String, Optional<MethodCode.OfClass>> classes = new HashMap<>();
  private final Map<Method, Optional<List<Method>>> ways = new HashMap<>();

  CallNoForeignCodeUnderALock() {
    super("call no foreign code under a lock");
  }

  @Override
  public void check(JavaClass type, ConditionEvents events) {
    Optional<MethodCode.OfClass> code = classOf(type.getName().replace('.', '/'));
    if (code.isEmpty()) {
      return;
    }
    code.get()
        .methods()
        .forEach(
            (method, body) -> {
              for (Call call : body.calls()) {
                List<Method> way = call.isLocked() ? wayToForeignCode(call.target()) : null;
                if (way != null) {
                  events.add(
                      SimpleConditionEvent.violated(
                          type,
                          method + " holds a lock in line " + call.line() + " and calls " + way));
                }
              }
            });
  }

  /** Returns the methods from this one to the first foreign code; null where there is none. */
  private @Nullable List<Method> wayToForeignCode(Method first) {
    Optional<List<Method>> known = ways.get(first);
    if (known == null) {
      known = Optional.ofNullable(searchedWay(first));
      ways.put(first, known);
    }
    return known.orElse(null);
  }

  private @Nullable List<Method> searchedWay(Method first) {
    Map<Method, @Nullable Method> callers = new LinkedHashMap<>();
    Deque<Method> open = new ArrayDeque<>();
    callers.put(first, null);
    open.add(first);
    while (!open.isEmpty()) {
      Method method = open.remove();
      if (isForeign(method)) {
        List<Method> way = new ArrayList<>();
        for (Method each = method; each != null; each = callers.get(each)) {
          way.add(0, each);
        }
        return way;
      }
      for (Call call : callsOf(method)) {
        if (!callers.containsKey(call.target())) {
          callers.put(call.target(), method);
          open.add(call.target());
        }
      }
    }
    return null;
  }

  private static boolean isForeign(Method method) {
    String owner = method.owner();
    String name = method.name();
    return SIGNALS.contains(name)
        || name.equals("subscribe")
        || (owner.startsWith("reactor/core/publisher/Sinks")
            && (name.startsWith("tryEmit") || name.startsWith("emit")))
        || (owner.startsWith("reactor/core/publisher/")
            && owner.endsWith("Sink")
            && OF_SINKS.contains(name))
        || owner.equals("org/reactivestreams/Subscription")
        || (owner.startsWith("reactor/core/Disposable") && name.equals("dispose"))
        || (owner.equals("dev/zarrreactive/store/Store")
            && method.descriptor().contains("reactor"));
  }

  private List<Call> callsOf(Method method) {
    for (String owner = method.owner(); owner != null && owner.startsWith(OURS); ) {
      Optional<MethodCode.OfClass> code = classOf(owner);
      if (code.isEmpty()) {
        return List.of();
      }
      MethodCode body =
          code.get().methods().get(new Method(owner, method.name(), method.descriptor()));
      if (body != null) {
        return body.calls();
      }
      owner = code.get().above();
    }
    return List.of();
  }

  private Optional<MethodCode.OfClass> classOf(String internalName) {
    return classes.computeIfAbsent(
        internalName, name -> Optional.ofNullable(MethodCode.OfClass.read(name)));
  }
}
