"""What every worker needs beside the modules, made once by the server that workers are forked from: the rules and names."""

from halfulp_formal.catalogue import owners

owners()
