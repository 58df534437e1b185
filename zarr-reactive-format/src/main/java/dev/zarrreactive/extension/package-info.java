/** The extension objects of the specification: a name and its configuration. */
@NullMarked
package dev.zarrreactive.extension;

import org.jspecify.annotations.NullMarked;
