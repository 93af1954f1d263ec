// Commands of skel_ragupdate that the plugins add, for what skelobj's other builtins do. Game code that runs on an
// engine's own table of builtins has no numbers for those.
#ifndef SKELOBJ_PLUGINS_COMMANDS_H
#define SKELOBJ_PLUGINS_COMMANDS_H

#include <skelobj.h>

// Runs a command on an object with a ragdoll and writes its result. Returns 0 if it is none of these commands: `result`
// and `problem` stay. Else writes what is wrong with the command into `problem`, or an empty text.
int plugin_command(SkelobjWorld world, SkelobjObject object, const char *command, float *result, char *problem,
                   size_t capacity);

#endif
