/** What copies and the command know of nodes together: their choice by globs, and their masks. */
@NullMarked
package dev.zarrreactive.internal.copying;

import org.jspecify.annotations.NullMarked;
