package dev.zarrreactive.store;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A store that does nothing but note which of its methods are called, whatever methods there are.
 */
final class RecordingStore {
  final List<Call> calls = Collections.synchronizedList(new ArrayList<>());
  final Store store =
      (Store)
          Proxy.newProxyInstance(
              Store.class.getClassLoader(),
              new Class<?>[] {Store.class},
              (proxy, method, arguments) -> call(method, arguments));

  record Call(Method method, List<Object> arguments) {}

  /** The operations on several keys, which are composed of the single ones. */
  static final Set<String> COMPOSED = Set.of("getPartialValues", "setPartialValues", "eraseValues");

  /** All that a store does with one key or prefix: default methods are included. */
  static List<Method> operations() {
    return Arrays.stream(Store.class.getMethods())
        .filter(method -> !COMPOSED.contains(method.getName()))
        .toList();
  }

  /** Some argument of each type that an operation takes. */
  static Object[] someArguments(Method operation) {
    Object[] arguments = new Object[operation.getParameterCount()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = someArgument(operation, operation.getParameterTypes()[i]);
    }
    return arguments;
  }

  private static Object someArgument(Method operation, Class<?> type) {
    StoreKey key = StoreKey.of("a/b");
    if (type == StoreKey.class) {
      return key;
    } else if (type == StorePrefix.class) {
      return StorePrefix.of("a/");
    } else if (type == ByteRange.class) {
      return new ByteRange.From(0);
    } else if (type == Bytes.class) {
      return Bytes.utf8("value");
    } else if (type == Precondition.class) {
      return Precondition.ABSENT;
    } else if (type == ReadCondition.class) {
      return ReadCondition.ifChanged(new Version("1"));
    } else if (type == Version.class) {
      return new Version("1");
    } else if (type == Publisher.class) {
      return Flux.just(Bytes.utf8("piece"));
    }
    throw new IllegalStateException("no argument of " + type + " for " + operation);
  }

  private Object call(Method method, Object[] arguments) {
    if (method.getDeclaringClass() == Object.class) {
      return switch (method.getName()) {
        case "toString" -> "recording";
        case "hashCode" -> 1;
        default -> arguments[0] == store;
      };
    }
    calls.add(new Call(method, arguments == null ? List.of() : Arrays.asList(arguments)));
    if (method.getReturnType() == Mono.class) {
      return Mono.empty();
    }
    return method.getReturnType() == Flux.class
        ? Flux.empty()
        : EnumSet.allOf(StoreCapability.class);
  }
}
