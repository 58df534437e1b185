package dev.zarrreactive.modules;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.store.StoreProvider;
import java.util.Arrays;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.function.Predicate;

/** An application on the class path; the library and its libraries are on the module path. */
final class ModulePathProgram {
  private static final Predicate<String> IS_INTERNAL =
      name -> name.startsWith("dev.zarrreactive.internal");

  private ModulePathProgram() {}

  /** Reads the array at a URL, and prints what the modules give to an application. */
  public static void main(String[] arguments) {
    Module core = Zarr.class.getModule();
    System.out.println("module: " + core.getName());
    System.out.println("exported, but internal: " + count(core, IS_INTERNAL, true));
    System.out.println(
        "neither exported nor internal: " + count(core, IS_INTERNAL.negate(), false));
    TreeMap<String, String> schemes = new TreeMap<>();
    for (StoreProvider provider : ServiceLoader.load(StoreProvider.class)) {
      Module module = provider.getClass().getModule();
      if (module.isNamed()) { // the tests of the command have a provider of their own
        provider.schemes().forEach(scheme -> schemes.put(scheme, module.getName()));
      }
    }
    System.out.println("schemes: " + schemes);
    int[] values =
        Zarr.at(arguments[0])
            .openArray()
            .flatMap(array -> array.read(Selection.all()))
            .map(data -> data.toIntArray())
            .block();
    System.out.println("read: " + Arrays.toString(values));
    System.exit(0);
  }

  private static long count(Module module, Predicate<String> names, boolean exported) {
    return module.getPackages().stream()
        .filter(names.and(name -> module.isExported(name) == exported))
        .count();
  }
}
